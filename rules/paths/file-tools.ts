import { fileActions } from "./file-arguments.ts";
import { bareName } from "./tool-use.ts";

/** Further tools that read and write files of the machine, by the names that agents give them. Compared without case, dashes and underscores. */
const further: readonly string[] = [
  "apply_patch",
  "append_file",
  "append_to_file",
  "cat_file",
  "copy_file",
  "copy_path",
  "create_file",
  "delete_file",
  "delete_path",
  "delete_directory",
  "edit_block",
  "edit_notebook",
  "file_read",
  "file_write",
  "find_files",
  "get_file_contents_local",
  "insert_edit_into_file",
  "list_dir",
  "list_files",
  "make_directory",
  "move_path",
  "multi_edit",
  "open_file",
  "patch_file",
  "read_folder",
  "read_many_files",
  "read_notebook",
  "remove_file",
  "rename_file",
  "replace_in_file",
  "replace_string_in_file",
  "save_file",
  "search_file_content",
  "str_replace_based_edit_tool",
  "str_replace_editor",
  "str_replace",
  "text_editor",
  "update_file",
  "view_file",
  "write_to_file",
  "write_text_file",
];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, "");

const exact: ReadonlySet<string> = new Set(fileActions);
const names: ReadonlySet<string> = new Set(
  [...fileActions.filter((name) => !name.includes(".")), ...further].map(plain),
);

/** Does this tool take paths of this machine's files? Also under the name of an MCP server: `mcp__files__read_file`. */
export const isFileTool = (action: string): boolean =>
  exact.has(action) || action.startsWith("fs.") || names.has(plain(bareName(action)));
