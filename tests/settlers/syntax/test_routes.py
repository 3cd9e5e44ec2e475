from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimjury.settlers.syntax import Route, Unreadable, options, routes

EXPRESS = "const app = express();\n"
GIN = "package a\nfunc f() {\n\tr := gin.Default()\n"


def told(path: str, source: str) -> list[tuple[str | None, str, bool]]:
    found = routes(path, source.encode())
    assert not isinstance(found, Unreadable)
    return [(one.method, one.path, one.mounted) for one in found]


def test_a_route_is_told_with_its_line_and_what_declares_it() -> None:
    found = routes("a.py", b"app = FastAPI()\n\n@app.get('/x/{id}', tags=[])\ndef f(id): ...\n")
    assert found == (Route(method="GET", path="/x/{id}", line=3, declared_by="get", mounted=False),)


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.py", "app = Flask(__name__)\n@app.route('/x')\ndef f(): ...", [(None, "/x", False)]),
        (
            "a.py",
            "app = Flask(__name__)\n@app.route('/x', methods=['get', 'POST'])\ndef f(): ...",
            [("GET", "/x", False), ("POST", "/x", False)],
        ),
        ("a.py", "app = Flask(__name__)\napp.add_url_rule('/x', 'x', f)", [(None, "/x", False)]),
        ("a.py", "app = Starlette(routes=[Route('/x', f, methods=['GET'])])", [("GET", "/x", True)]),
        (
            "a.py",
            "from django.urls import path\nurlpatterns = [path('x/<int:id>/', f)]",
            [(None, "x/<int:id>/", True)],
        ),
        (
            "a.js",
            EXPRESS + "app.get('/x', (q, r) => {}); app.all('/y', h)",
            [("GET", "/x", False), (None, "/y", False)],
        ),
        ("a.js", EXPRESS + "app.route('/x').get(f).post(g)", [("POST", "/x", False), ("GET", "/x", False)]),
        ("a.go", GIN + '\tr.GET("/x", f)\n}', [("GET", "/x", False)]),
        ("a.go", 'package a\nfunc f() { http.HandleFunc("POST /x", h) }', [("POST", "/x", False)]),
        ("a.go", 'package a\nfunc f() { m := http.NewServeMux(); m.Handle("/x", h) }', [(None, "/x", True)]),
        ("a.go", 'package a\nfunc f() { r := chi.NewRouter(); r.Get("/x", h) }', [("GET", "/x", True)]),
        (
            "a.rs",
            'fn f() { let a = Router::new().route("/x", get(h).post(g)); axum::serve(l, a); }',
            [("GET", "/x", False), ("POST", "/x", False)],
        ),
        ("a.rs", 'fn f() { Router::new().route("/x", any(h)) }', [(None, "/x", True)]),
        ("a.rs", 'fn f() { App::new().route("/x", web::get().to(h)) }', [("GET", "/x", True)]),
        ("a.rs", '#[get("/x")] async fn f() {}', [("GET", "/x", True)]),
        ("A.java", '@RestController class A { @GetMapping("/x") void f() {} }', [("GET", "/x", False)]),
        (
            "A.java",
            '@RestController class A { @RequestMapping(value = {"/x", "/y"}, method = RequestMethod.PUT) void f() {} }',
            [("PUT", "/x", False), ("PUT", "/y", False)],
        ),
        (
            "A.java",
            '@RestController @RequestMapping("/api") class A { @PostMapping(path = "/x") void f() {} }',
            [("POST", "/x", True)],
        ),
        ("A.java", '@Path("/a") class A { @GET @Path("/x") void f() {} }', [("GET", "/x", True)]),
    ],
)
def test_literal_routes_are_told(
    path: str, source: str, expected: list[tuple[str | None, str, bool]]
) -> None:
    assert told(path, source + "\n") == expected


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "bp = Blueprint('a', __name__)\n@bp.route('/x')\ndef f(): ..."),
        ("a.py", "router = APIRouter(prefix='/api')\n@router.get('/x')\ndef f(): ..."),
        ("a.py", "@app.get('/x')\ndef f(): ..."),
        ("a.py", "app = FastAPI()\nroot.mount('/api', app)\n@app.get('/x')\ndef f(): ..."),
        ("a.py", "app = FastAPI()\ndef g(app):\n    @app.get('/x')\n    def f(): ..."),
        ("a.py", "app = FastAPI()\napp = wrap(app)\n@app.get('/x')\ndef f(): ..."),
        ("a.js", "const router = express.Router();\nrouter.get('/x', h)"),
        ("a.js", EXPRESS + "root.use('/api', app);\napp.get('/x', h)"),
        ("a.js", "module.exports = (app) => { app.get('/x', h) }"),
        ("a.js", EXPRESS + "fastify.register((app) => { app.get('/x', h) })"),
        ("a.go", GIN + '\tg := r.Group("/api")\n\tg.GET("/x", f)\n}'),
        ("a.go", 'package a\nfunc f(r *gin.Engine) { r.GET("/x", f) }'),
    ],
)
def test_a_route_that_a_prefix_may_stand_before_says_so(path: str, source: str) -> None:
    assert told(path, source + "\n") == [("GET" if "get" in source.lower() else None, "/x", True)]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", "client.get('/x', headers={})\nrequests.get('/x')"),
        ("a.py", "app = FastAPI()\n@app.get(PATH)\ndef f(): ...\n@app.get(f'/{x}')\ndef g(): ..."),
        ("a.py", "# @app.get('/x')\n@agent.get('x')\ndef f(): ..."),
        ("a.js", "axios.get('/x', opts); request(app).get('/x'); api.post('/x', body)"),
        ("a.js", EXPRESS + "app.get('title'); app.get(`/${x}`, h); app.get('/x')"),
        ("a.go", 'package a\nfunc f() { client.Get("/x", o); http.Get("/x") }'),
        ("A.java", '@FeignClient("a") interface A { @GetMapping("/x") void f(); }'),
    ],
)
def test_calls_of_clients_and_computed_paths_are_no_routes(path: str, source: str) -> None:
    assert told(path, source + "\n") == []


@settings(max_examples=60, deadline=None)
@given(
    path=st.sampled_from(["a.py", "a.js", "a.ts", "a.go", "a.rs", "A.java", "a.rb"]),
    data=st.binary(max_size=100)
    | st.lists(
        st.sampled_from(
            [
                "@",
                "app",
                ".",
                "get",
                "option",
                "(",
                ")",
                "'/x'",
                '"--x"',
                ",",
                "=",
                "#",
                "[",
                "]",
                "arg",
                "long",
                "{",
                "}",
                "class",
                "A",
                "fn",
                "f",
                "func",
                ":",
                "\n",
                ";",
            ]
        ),
        max_size=30,
    ).map(lambda pieces: " ".join(pieces).encode()),
)
def test_any_bytes_give_options_and_routes_or_a_reason(path: str, data: bytes) -> None:
    assert isinstance(options(path, data), tuple | Unreadable)
    assert isinstance(routes(path, data), tuple | Unreadable)
