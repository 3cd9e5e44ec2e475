"""Ways to be wrong about what a project depends on, which version it has, and what its settings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from settlers.settle_helpers import changed, verdict
from settlers.test_traps import NO, YES, Trap

PYPROJECT = '[project]\nname = "a"\nversion = "1.2.0"\ndependencies = ["flask==2.0.0"]\n'
PACKAGE = '{"name": "a", "version": "1.0.0", "dependencies": {"left-pad": "1.3.0"}}'
NONE_NEW = "No new dependencies were added."
BESIDE = [
    Trap(f"beside the manifests: {path}", NONE_NEW, None, {path: text}, {"pyproject.toml": PYPROJECT})
    for path, text in {
        "install.sh": "pip install requests\n",
        "Makefile": "setup:\n\tpip install -U requests\n",
        "ci.sh": "npx -y eslint\n",
        "docker/app.Dockerfile": "RUN pip install requests\n",
        "deno.jsonc": '{"imports": {"chalk": "npm:chalk@5"}}',
        "x.fsproj": '<PackageReference Include="X"/>\n',
        "index.html": '<script src="https://cdn.x.org/vue.js"></script>\n',
        "deps.ts": 'export * from "https://deno.land/x/oak/mod.ts"\n',
        "a.py": "import requests\n",
        "b.ts": "import x from 'lodash'\n",
    }.items()
] + [
    Trap(
        "what the tree has itself is imported",
        NONE_NEW,
        YES,
        {"a.py": "import os\nimport flask\nimport helpers\n", "helpers.py": "x = 1\n"},
        {"pyproject.toml": PYPROJECT},
    ),
    Trap(
        "the project is installed",
        NONE_NEW,
        YES,
        {"run.sh": "pip install -e .\n"},
        {"pyproject.toml": PYPROJECT},
    ),
    *(
        Trap(
            f"a table of another tool: {table}",
            NONE_NEW,
            None,
            {"pyproject.toml": f"{PYPROJECT}{table}\n"},
            {"pyproject.toml": PYPROJECT},
        )
        for table in (
            '[tool.rye]\ndev-dependencies = ["q"]',
            '[tool.briefcase.app.a]\nrequires = ["q"]',
            '[tool.flit.metadata]\nrequires = ["q"]',
            '[tool.tox.env_run_base]\ndeps = ["q"]',
            '[tool.uv]\noverride-dependencies = ["q==1"]',
        )
    ),
    *(
        Trap(
            f"a table of npm: {more}",
            NONE_NEW,
            None,
            {"package.json": f"{PACKAGE[:-1]}, {more}}}"},
            {"package.json": PACKAGE},
        )
        for more in (
            '"bundledDependencies": ["q"]',
            '"overrides": {"q": "1"}',
            '"workspaces": {"catalog": {"q": "1"}}',
        )
    ),
    Trap(
        "an old spelling of Cargo's",
        NONE_NEW,
        None,
        {"Cargo.toml": '[package]\nname = "a"\n[dev_dependencies]\nq = "1"\n'},
        {"Cargo.toml": '[package]\nname = "a"\n'},
    ),
    Trap(
        "a block of Go without a space",
        NONE_NEW,
        NO,
        {"go.mod": "module x\n\nrequire(\n\tx.org/q v1.0.0\n)\n"},
        {"go.mod": "module x\n"},
    ),
    Trap(
        "a next major version of Go",
        NONE_NEW,
        None,
        {"go.mod": "module x\n\nrequire x.org/l/v2 v2.1.0\n"},
        {"go.mod": "module x\n\nrequire x.org/l v1.0.0\n"},
    ),
    Trap(
        "for developers alone",
        NONE_NEW,
        None,
        {"package.json": '{"name": "a", "devDependencies": {"vitest": "1.0.0"}}'},
        {"package.json": '{"name": "a"}'},
    ),
    Trap(
        "an optional one",
        NONE_NEW,
        None,
        {"Cargo.toml": '[package]\nname = "a"\n[dependencies]\nq = { version = "1", optional = true }\n'},
        {"Cargo.toml": '[package]\nname = "a"\n'},
    ),
    Trap(
        "a package of the same tree",
        NONE_NEW,
        None,
        {
            "Cargo.toml": '[package]\nname = "a"\n[dependencies]\nmy_core = { path = "my_core" }\n',
            "my_core/Cargo.toml": '[package]\nname = "my_core"\n',
        },
        {"Cargo.toml": '[package]\nname = "a"\n'},
    ),
]
NAMED = [
    Trap(
        "it is of developers alone",
        "`jest` was added to the dependencies.",
        None,
        {"package.json": '{"devDependencies": {"jest": "1.0.0"}}'},
        {"package.json": "{}"},
    ),
    Trap(
        "a script is no dependency",
        "Added `typecheck` to `package.json`.",
        None,
        {"package.json": '{"scripts": {"typecheck": "tsc"}}'},
        {"package.json": "{}"},
    ),
    Trap(
        "a key without a noun",
        "`tool.ruff.line-length` in `pyproject.toml` is 120.",
        YES,
        {"pyproject.toml": "[tool.ruff]\nline-length = 120\n"},
    ),
    Trap(
        "a key that is set otherwise",
        "`pyproject.toml` sets `tool.ruff.line-length` to 100.",
        NO,
        {"pyproject.toml": "[tool.ruff]\nline-length = 120\n"},
    ),
    Trap("a section", "`left-pad` is listed under `dependencies`.", YES, {"package.json": PACKAGE}),
    Trap("another section", "`left-pad` is listed under `devDependencies`.", NO, {"package.json": PACKAGE}),
    Trap(
        "in two manifests",
        "`left-pad` is listed under `devDependencies`.",
        None,
        {"package.json": PACKAGE, "web/package.json": PACKAGE},
    ),
    Trap(
        "none came or went",
        "No dependencies were added or removed.",
        YES,
        {"a.md": "x\n"},
        {"package.json": PACKAGE},
    ),
    Trap(
        "one went",
        "No dependencies were added or removed.",
        None,
        {"package.json": '{"name": "a"}'},
        {"package.json": PACKAGE},
    ),
    *(
        Trap(
            f"another file still declares it: {path}",
            "The dependency `requests` was removed.",
            None,
            {"requirements.txt": "flask==2.0.0\n"},
            {"requirements.txt": "flask==2.0.0\nrequests==2.0.0\n", path: text},
        )
        for path, text in {
            "setup.py": "setup(install_requires=['requests'])\n",
            "setup.cfg": "[options]\ninstall_requires =\n  requests\n",
            "Dockerfile": "RUN pip install requests\n",
        }.items()
    ),
    Trap(
        "nothing else declares it",
        "The dependency `requests` was removed.",
        YES,
        {"requirements.txt": "flask==2.0.0\n"},
        {"requirements.txt": "flask==2.0.0\nrequests==2.0.0\n"},
    ),
    Trap(
        "it is of developers",
        "The project depends on `pytest`.",
        None,
        {"requirements-dev.txt": "pytest==7.0.0\n", "requirements.txt": "flask==2.0.0\n"},
    ),
    Trap(
        "it is of a fixture",
        "Added `lodash` as a dependency.",
        None,
        {"tests/fixtures/p/package.json": '{"dependencies": {"lodash": "4.0.0"}}'},
        {"package.json": PACKAGE},
    ),
    Trap(
        "it is of an example",
        "`flask` is a dependency.",
        None,
        {"examples/x/requirements.txt": "flask==2.0.0\n"},
        {"package.json": PACKAGE},
    ),
    Trap(
        "Go replaces it",
        "`go.mod` uses `x.org/left` v1.0.0.",
        None,
        {"go.mod": "module x\n\nrequire x.org/left v1.0.0\n\nreplace x.org/left => x.org/left v1.5.0\n"},
    ),
    Trap(
        "npm resolves it otherwise",
        "`package.json` pins `left-pad` to 1.3.1.",
        None,
        {"package.json": f'{PACKAGE[:-1]}, "resolutions": {{"left-pad": "1.3.1"}}}}'},
    ),
]
VERSIONS = [
    Trap(
        "Expo's own file says it",
        "The version was bumped from 2.3.0 to 2.4.0.",
        None,
        {"app.json": '{"expo": {"version": "2.4.0"}}'},
        {"package.json": PACKAGE, "app.json": '{"expo": {"version": "2.3.0"}}'},
    ),
    Trap("nothing says it", "The version is 9.9.9.", NO, {"package.json": PACKAGE}),
    *(
        Trap(
            f"the version is said in code: {statement}",
            statement,
            None,
            {"a/__init__.py": '__version__ = "1.3.0"\n'},
            {"pyproject.toml": PYPROJECT, "a/__init__.py": '__version__ = "1.2.0"\n'},
        )
        for statement in (
            "The version is 1.3.0.",
            "The version is 1.2.0.",
            "Bumped the version from 1.2.0 to 1.3.0.",
        )
    ),
    Trap(
        "a chart says one",
        "The version is 2.0.0.",
        None,
        {"charts/a/Chart.yaml": "version: 2.0.0\n"},
        {"package.json": PACKAGE},
    ),
    Trap(
        "a placeholder",
        "The version is 2.3.0.",
        None,
        {"package.json": '{"name": "a", "version": "0.0.0-dev"}'},
    ),
]
KEYS = [
    Trap(f"a key: {statement}", statement, wanted, {path: text})
    for statement, wanted, path, text in [
        (
            "The setting `ignore_missing_imports` in `pyproject.toml` is `true`.",
            None,
            "pyproject.toml",
            '[[tool.mypy.overrides]]\nmodule = "foo"\nignore_missing_imports = true\n',
        ),
        (
            "The setting `line-length` in `pyproject.toml` is 100.",
            YES,
            "pyproject.toml",
            "[tool.ruff]\nline-length = 100\n",
        ),
        (
            "The setting `ignore_errors` in `mypy.ini` is `False`.",
            None,
            "mypy.ini",
            "[mypy-foo.*]\nignore_errors = True\n",
        ),
        (
            "The setting `rules.no-console` in `a.json` is `off`.",
            None,
            "a.json",
            '{"overrides": [{"rules": {"no-console": "off"}}]}',
        ),
        (
            "The key `version` in `package.json` is `1.2.0`.",
            None,
            "package.json",
            '{"config": {"version": "1.2.0"}}',
        ),
        (
            "The setting `tool.mypy.strict` is set in `pyproject.toml`.",
            None,
            "pyproject.toml",
            "[tool.mypy]\nstrict = false\n",
        ),
        (
            "The setting `tool.mypy.strict` is not set in `pyproject.toml`.",
            None,
            "pyproject.toml",
            "[tool.mypy]\nstrict = false\n",
        ),
        (
            "The key `version` in `setup.cfg` is `1.2.0`.",
            None,
            "setup.cfg",
            "[metadata]\nversion = attr: a.__version__\n",
        ),
        ("The key `lto` in `Cargo.toml` is `true`.", None, "Cargo.toml", "[profile.bench]\nlto = true\n"),
        ("The key `timeout` in `a.toml` is 30.", None, "a.toml", "timeout = 30000\n"),
        ("The key `timeout` in `a.toml` is 31.", NO, "a.toml", "timeout = 30000\n"),
        ("`TIMEOUT` is 30.", None, "a.py", "TIMEOUT = 30000\n"),
        ("`SHARE` is 80.", None, "a.py", "SHARE = 0.8\n"),
        ("`SHARE` is 0.7.", NO, "a.py", "SHARE = 0.8\n"),
        ("`MAX_AGE` is 5.", None, "tests/test_a.py", "MAX_AGE = 3\n"),
    ]
]
TRAPS = [*BESIDE, *NAMED, *VERSIONS, *KEYS]


@pytest.mark.parametrize("trap", TRAPS, ids=[trap.name for trap in TRAPS])
def test_a_trap_is_seen(tmp_path: Path, trap: Trap) -> None:
    folder = changed(tmp_path, {"README.md": "# x\n", **trap.then}, trap.now)
    assert verdict(folder, trap.statement) == trap.verdict
