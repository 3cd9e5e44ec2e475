"""The skeptics: does one claim survive an attack from several angles? A doubt counts against it."""
