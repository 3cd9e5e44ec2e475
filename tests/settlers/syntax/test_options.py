from __future__ import annotations

import pytest

from claimjury.settlers.syntax import Option, Unreadable, options


def names(path: str, source: str) -> list[str]:
    found = options(path, source.encode())
    assert not isinstance(found, Unreadable)
    return [one.name for one in found]


def test_an_option_is_told_with_its_line_and_what_declares_it() -> None:
    found = options("a.py", b"import argparse\nparser.add_argument('--mini', '-m', 'positional')\n")
    assert found == (
        Option(name="--mini", line=2, declared_by="add_argument"),
        Option(name="-m", line=2, declared_by="add_argument"),
    )


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.py", "@click.option('--on/--off', '-o', default=True)\ndef f(on): ...", ["--on", "--off", "-o"]),
        ("a.py", "def f(a: str = typer.Option('--not-in', '-a')): ...", ["--not-in", "-a"]),
        (
            "a.py",
            "from typer import Option\nx: Annotated[bool, Option('--force', help='--no')] = False",
            ["--force"],
        ),
        (
            "a.js",
            "program.option('-p, --port <n>', 'the port').requiredOption('--x [y]')",
            ["--x", "-p", "--port"],
        ),
        ("a.js", "new Option('-s, --size <n>')", ["-s", "--size"]),
        ("a.js", "import yargs from 'yargs';\nyargs.option('port', {}).option('v', {})", ["-v", "--port"]),
        ("a.ts", "cli.command('x').option('--dry-run', 'y')", ["--dry-run"]),
        ("a.go", 'package a\nfunc f() { cmd.Flags().StringVarP(&x, "out", "o", "", "") }', ["--out", "-o"]),
        ("a.go", 'package a\nfunc f() { cmd.PersistentFlags().Bool("json", false, "") }', ["--json"]),
        ("a.go", 'package a\nimport "flag"\nvar v = flag.Int("n", 1, "")', ["-n"]),
        ("a.go", 'package a\nimport flag "github.com/spf13/pflag"\nvar v = flag.Int("n", 1, "")', ["--n"]),
        (
            "a.go",
            'package a\nimport "flag"\nfunc f() { fs := flag.NewFlagSet("a", 0); fs.BoolVar(&v, "q", false, "") }',
            ["-q"],
        ),
        ("a.rs", "struct A { #[arg(short = 'o', long = \"out\")] a: i32 }", ["-o", "--out"]),
        ("a.rs", "struct A { #[arg(long, short)] dry_run: bool, b: i32 }", ["--dry-run"]),
        ("a.rs", 'fn f() { Arg::new("x").long("out").short(\'o\') }', ["-o", "--out"]),
        ("A.java", 'class A { @Option(names = {"-x", "--xx"}) int a; }', ["-x", "--xx"]),
        ("A.java", 'class A { @CommandLine.Option(names = "--y") int a; }', ["--y"]),
    ],
)
def test_literal_declarations_are_told(path: str, source: str, expected: list[str]) -> None:
    assert names(path, source) == expected


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "# parser.add_argument('--x')\n'''parser.add_argument(\"--x\")'''"),
        ("a.py", "parser.add_argument(NAME, f'--{x}', '--a' + b)"),
        ("a.py", "run('--x')"),
        ("a.js", "widget.option('disabled', true); program.option(`--${x}`)"),
        ("a.go", 'package a\nfunc f() { strings.Bool("x"); log.String("y") }'),
        ("a.rs", 'fn f() { x.long("y"); }\nstruct A { #[serde(long)] a: i32 }'),
        ("a.rs", '#[command(rename_all = "snake_case")] struct A { #[arg(long)] a_b: i32 }'),
        ("A.java", 'class A { @Column(names = "--x") int a; }'),
    ],
)
def test_what_is_computed_mentioned_or_another_call_is_not(path: str, source: str) -> None:
    assert names(path, source) == []


def test_a_file_that_is_not_read_says_why() -> None:
    assert options("a.rb", b"") == Unreadable(reason="its language is not known")
