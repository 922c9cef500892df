import { below, changing, holdsRun, lastOf, type Member, member, type SetOf } from "./member.ts";

const pipeline = member("ci", changing, "escalate", "a pipeline, which runs with the project's secrets");

const names: ReadonlySet<string> = new Set([
  ".gitlab-ci.yml",
  ".gitlab-ci.yaml",
  "jenkinsfile",
  "azure-pipelines.yml",
  "azure-pipelines.yaml",
  "bitbucket-pipelines.yml",
  ".travis.yml",
  ".drone.yml",
  ".woodpecker.yml",
  "appveyor.yml",
  "cloudbuild.yaml",
  "buildspec.yml",
  ".pre-commit-config.yaml",
  "lefthook.yml",
]);

/** Where builds are told what to run. */
export const ciFiles: SetOf = (path): Member | null => {
  if (names.has(lastOf(path))) return pipeline;
  if (holdsRun(path, [".github", "workflows"]) || holdsRun(path, [".github", "actions"])) return pipeline;
  return [".circleci", ".devcontainer", ".buildkite", ".woodpecker", ".teamcity"].some(
    (folder) => below(path, folder) !== null,
  )
    ? pipeline
    : null;
};
