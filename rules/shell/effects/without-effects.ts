/**
 * Programs that are known to do nothing of their own to files, hosts or the machine: the shell's own words, what only tells something,
 * what runs a command that is judged beside it, and tools of developers that do what the project says. By what they are for, not a
 * list of everything.
 */
export const programsWithoutEffects: ReadonlySet<string> = new Set(
  [
    // The shell's own.
    ": [ [[ test true false echo printf cd pushd popd dirs pwd read export local declare typeset readonly shift getopts return exit wait jobs fg bg hash type command builtin let break continue ulimit umask times shopt setopt",
    // They tell something.
    "date cal which whereis whoami hostname id groups uname arch nproc uptime ps top htop pgrep df free vmstat iostat lscpu lsblk lsof tty locale seq expr bc dc factor basename dirname sleep yes tr printenv tput clear apropos man info whatis ldd",
    // What they run is judged beside them.
    "env nice ionice nohup stdbuf setsid timeout time chrt taskset watch xargs parallel exec hyperfine flock",
    // They do what the project says, as `npm run build` does.
    "tsc tsx ts-node eslint prettier biome jest vitest mocha ava playwright cypress nyc c8 webpack vite rollup esbuild parcel turbo nx lerna next nuxt astro svelte-check storybook sass postcss",
    "pytest tox nox mypy pyright ruff black isort flake8 pylint bandit coverage poetry uv pdm hatch pipenv pre-commit django-admin alembic sphinx-build mkdocs",
    "cargo rustc rustfmt clippy go gofmt golangci-lint mvn mvnw gradle gradlew ant sbt javac dotnet cmake ctest ninja meson gcc g++ cc clang clang-format clang-tidy rake bundle rspec rubocop phpunit phpstan swift xcodebuild flutter dart mix stack cabal elm ghc buf protoc shellcheck shfmt hadolint yamllint markdownlint actionlint",
  ].flatMap((names) => names.split(" ")),
);
