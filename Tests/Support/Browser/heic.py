"""Bob uploads HEIC photos, which Chromium cannot decode: libheif makes their thumbnails and previews.
The files in the folder `heic` are made by scripts/heif/test-files."""
import os, pathlib, subprocess, urllib.request
import portal
from portal import SERVER, Browser

os.chdir(os.environ["HOME"])
files = pathlib.Path(portal.__file__).with_name("heic")
# Upper left, upper right, lower left, lower right.
red, green, blue, yellow = (200, 40, 40), (40, 160, 40), (40, 40, 200), (230, 220, 60)
white = (255, 255, 255)
# In order of the names, with the size of the preview. The phone's photo is turned, and its colors in Display P3 are
# brighter than the same numbers in sRGB.
photos = {
    "alpha.heic": (640, 480, red, green, blue, white),
    "deep.heic": (640, 480, red, green, blue, yellow),
    "phone.heic": (1536, 2048, (40, 40, 208), (218, 0, 26), (232, 220, 0), (0, 162, 0)),
    "plain.heic": (640, 480, red, green, blue, yellow),
    # Its EXIF orientation says otherwise, which HEIF's rules ignore.
    "turned.heic": (640, 480, red, green, blue, yellow),
}


def is_right(url, width, height, *colors):
    """Whether a picture has a size, and colors in the middle of its quarters."""
    with urllib.request.urlopen(url) as response:
        pathlib.Path("picture.jpg").write_bytes(response.read())
    vips = lambda *arguments: subprocess.run(arguments, check=True, capture_output=True, text=True).stdout.split()
    size = tuple(int(vips("vipsheader", "-f", side, "picture.jpg")[0]) for side in ("width", "height"))
    assert size == (width, height), (url, size)
    for index, color in enumerate(colors):
        place = (width * (1 + index % 2 * 2) // 4, height * (1 + index // 2 * 2) // 4)
        found = [float(value) for value in vips("vips", "getpoint", "picture.jpg", *map(str, place))]
        assert all(abs(value - wanted) < 12 for value, wanted in zip(found, color)), (url, index, found, color)


bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
bob.bring([files / name for name in photos]).has_soon("5 photos uploaded.")
bob.go("/library")
assert sorted(alt.split(",")[0] for alt in bob.pictures()) == list(photos)
thumbnails = bob.script("""return Object.fromEntries(Array.from(
    document.querySelectorAll(".grid img"), image => [image.alt.split(",")[0], image.currentSrc]))""")
for name, (width, height, *colors) in photos.items():
    scale = min(1, 512 / max(width, height))
    is_right(thumbnails[name], round(width * scale), round(height * scale), *colors)

# The viewer shows the preview.
for name, (width, height, *colors) in photos.items():
    bob.go("/library")
    next(link for link in bob.all(".grid a")
         if name in link.find_element("tag name", "img").get_attribute("alt")).click()
    bob.arrives("/library/photo")
    picture = "(document.querySelector('.large') ?? {})"
    bob.until(lambda: bob.script(f"return {picture}.naturalWidth") == width, f"{name} has no preview")
    is_right(bob.script(f"return {picture}.currentSrc"), width, height, *colors)

# Files that cannot be decoded are uploaded without pictures. Photos after them have theirs.
pathlib.Path("cut.heic").write_bytes((files / "phone.heic").read_bytes()[:9000])
damaged = bytearray((files / "phone.heic").read_bytes())
damaged[-8000:] = os.urandom(8000)
pathlib.Path("damaged.heic").write_bytes(damaged)
pathlib.Path("empty.heic").write_bytes((files / "plain.heic").read_bytes()[:32] + bytes(4000))
pathlib.Path("later.heic").write_bytes((files / "plain.heic").read_bytes() + bytes(1))
bob.go("/library").bring(["cut.heic", "damaged.heic", "empty.heic", "later.heic"])
bob.has_soon("4 photos uploaded.").go("/library")
shown = """return Array.from(document.querySelectorAll(".grid img")).filter(
    image => image.naturalWidth > 0).map(image => image.alt.split(",")[0])"""
bob.until(lambda: "later.heic" in bob.script(shown), "the last photo has no thumbnail")
assert not {"cut.heic", "empty.heic"} & set(bob.script(shown)), bob.script(shown)

# Only the worker of the decoder may compile WebAssembly.
page = """const done = arguments[0]; setTimeout(() => {
    try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); done("compiled") }
    catch (error) { done(error.name) } })"""
assert bob.driver.execute_async_script(page) == "CompileError"
folder = bob.script("return document.querySelector('script[src]').src").rsplit("/", 1)[0]
for name, may_compile in [("photo_worker.js", False), ("heif_decoder.js", False), ("heif_worker.js", True)]:
    with urllib.request.urlopen(f"{folder}/{name}") as response:
        assert ("wasm-unsafe-eval" in response.headers["content-security-policy"]) == may_compile, name
with urllib.request.urlopen(f"{folder}/heif.wasm") as response:
    assert (response.headers["content-type"], response.headers["content-encoding"]) == ("application/wasm", "gzip")
# The page's own attempt above is in the log.
bob.driver.get_log("browser")
bob.close()
print("DONE")
