const documents: ReadonlySet<string> = new Set(
  "content contents filecontent filecontents newcontent oldcontent transcript text body code source script command cmd commands newstring oldstring newstr oldstr newtext oldtext filetext inserttext patch diff edits markdown html template prompt description comment comments message messages summary notes note instructions system input cells stdin reason rationale explanation thought thoughts regex pattern".split(
    " ",
  ),
);

/** Members that hold what somebody wrote: sentences, programs, files. */
export const isDocument = (name: string): boolean => documents.has(name.toLowerCase().replaceAll(/[-_]/g, ""));
