"""Bob uploads videos, of which his browser makes pictures if it can play them. He plays the video of a Live Photo, and looks
at a slideshow with videos and at a video that his browser cannot play."""
import os, pathlib, time
from pictures import jpeg, png, turned, video
from portal import Browser
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
MAY = 1715767200
folder = pathlib.Path("camera")
folder.mkdir()
files = [
    jpeg(folder / "live.jpg", (60, 90, 220), date=MAY), video(folder / "live.MOV", date=MAY + 1),
    turned(video(folder / "brief.mp4", date=MAY - 100_000, seconds=6)),
    video(folder / "modern.mov", "-tag:v", "hvc1", date=MAY - 200_000, codec="libx265"),
    png(folder / "last.png", (220, 90, 90), date=MAY - 300_000),
    video(folder / "old.avi", date=MAY + 400_000, codec="mpeg4"),
    video(folder / "web.webm", "-c:a", "libopus", date=MAY + 300_000, codec="libvpx"),
    video(folder / "film.mkv", date=MAY + 500_000, seconds=3),
]
# Its type is unknown to browsers, and its pictures are damaged.
damaged = bytearray(pathlib.Path(files[1]).read_bytes())
damaged[damaged.index(b"mdat") + 4:damaged.index(b"moov") - 4] = bytes(damaged.index(b"moov") - damaged.index(b"mdat") - 8)
(folder / "damaged.qt").write_bytes(damaged)
os.utime(folder / "damaged.qt", (MAY + 200_000, MAY + 200_000))
files.append(str(folder / "damaged.qt"))
bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
bob.bring(files).has_soon(f"{len(files)} photos and videos uploaded.")
assert bob.lines("#upload-facts") == [
    "3 photos or videos have no preview: this browser can’t open them. They are stored safely."
], bob.lines("#upload-facts")
bob.check("videos-uploaded").go("/library")
shown = [image.get_attribute("alt").split(",")[0] for image in bob.all(".grid img")]
assert shown == [
    "film.mkv", "old.avi", "web.webm", "damaged.qt", "live.jpg", "brief.mp4", "modern.mov", "last.png"], shown
sizes = """return Array.from(document.querySelectorAll(".grid img"), image => image.naturalWidth + "x" + image.naturalHeight)"""
expected = ["320x240", "0x0", "320x240", "0x0", "512x384", "240x320", "0x0", "512x384"]
bob.until(lambda: bob.script(sizes) == expected, f"the thumbnails are not {expected}")
colored = bob.script("return Array.from(document.querySelectorAll('.grid li'), tile => !!tile.querySelector('svg[color]'))")
assert colored == [size != "0x0" for size in expected], colored
# Their lengths are those of the files and, of a WebM, what the browser found when it made the picture.
signs = bob.script("""return Array.from(document.querySelectorAll(".grid a"), link =>
    (link.querySelector(".video [aria-hidden]") ?? link.querySelector(".video"))?.textContent ?? "")""")
assert signs == ["0:03", "Video", "0:02", "0:02", "", "0:06", "0:02", ""], signs
assert bob.all(".grid a")[shown.index("brief.mp4")].accessible_name.endswith("Video, 6 seconds")
bob.until(lambda: len(bob.all(".missing")) == 3)
assert bob.all(".grid a")[shown.index("modern.mov")].accessible_name.endswith("Video, 2 seconds")
assert bob.all(".grid a")[shown.index("old.avi")].accessible_name.endswith(", Video")
# Of what a file says about its duration, the catalog stores up to 49 days.
facts = """const path = document.querySelector("script[src*='/assets/']").src.replace(/[^/]+$/, "file_facts.js");
    import(path).then(({ milliseconds }) => arguments[0]([5e6, 4e6, 0.0001, 0, NaN, Infinity].map(milliseconds)))"""
assert bob.driver.execute_async_script(facts) == [None, 4_000_000_000, 1, None, None, None]
# Of a movie without a time scale, it is not known, and what the browser assumes does not count.
facts = """const path = document.querySelector("script[src*='/assets/']").src.replace(/[^/]+$/, "file_facts.js");
    const number = value => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
    const box = (name, bytes) => [...number(bytes.length + 8), ...Array.from(name, each => each.charCodeAt(0)), ...bytes];
    const movie = scale => new Blob([new Uint8Array(
        box("moov", box("mvhd", [...Array(12).fill(0), ...number(scale), ...number(2000), ...Array(80).fill(0)])))]);
    import(path).then(async ({ fileFacts }) => {
        const found = await Promise.all([1000, 0].map(scale => fileFacts(movie(scale))));
        arguments[0](found.map(({ duration, isTimeless }) => [duration, !!isTimeless]));
    })"""
assert bob.driver.execute_async_script(facts) == [[2000, False], [None, True]]
keys = lambda *names: ActionChains(bob.driver).send_keys(*names).perform()
plays = lambda: bob.script("return (document.querySelector('.stage > video')?.currentTime ?? 0) > 0")

# Matroska is tried, and played by this browser, as large as the window; of AVI the page says that it is not played.
bob.all(".grid a")[shown.index("film.mkv")].click()
bob.arrives("/library/photo").until(lambda: bob.script("return document.querySelector('video').readyState > 0"), "no MKV")
video_size = bob.script("const video = document.querySelector('video'); return [video.clientWidth, video.clientHeight]")
window = bob.script("const { clientWidth, clientHeight } = document.querySelector('.stage'); return [clientWidth, clientHeight]")
assert all(abs(one - other) <= 1 for one, other in zip(video_size, window)) and not bob.all(".stage .notice"), video_size
# One that is opened plays at once, with its sound; after a reload it waits.
bob.until(plays, "the opened video does not play")
assert not bob.script("return document.querySelector('video').muted") and not bob.all("#play:not([hidden])")
bob.driver.refresh()
bob.until(lambda: bob.named("Play video").is_displayed()).check("video")
assert not plays() and not bob.script("return document.querySelector('video').controls")
keys(Keys.ARROW_RIGHT)
bob.has_soon("This browser cannot play this video.")
assert bob.photo.startswith("old.avi") and not bob.all("video")
assert "/library/download" in bob.all(".stage .notice a")[0].get_attribute("href")
bob.script_is_off(True).go(bob.path).has("If this browser cannot play the video, download the file.")
assert bob.all("video")
bob.script_is_off(False).go("/library").pictures()

# The button plays the video over the picture, once. Escape ends it first.
bob.all(".grid a")[shown.index("live.jpg")].click()
bob.arrives("/library/photo").until(lambda: bob.all("#live:not([hidden])"))
bob.until(lambda: bob.script("return document.querySelector('.large').complete")).check("live-photo")
bob.named("Play Live Photo").click()
bob.until(plays, "the video does not play")
# A photo of any size fills the stage, in its proportions, and the video is in its place.
picture, live = bob.script("""return Array.from(document.querySelectorAll('.stage > :is(.large, .live)'), element => {
    const { x, y, width, height } = element.getBoundingClientRect(); return [x, y, width, height] })""")
stage = bob.script("const { clientWidth, clientHeight } = document.querySelector('.stage'); return [clientWidth, clientHeight]")
assert all(abs(one - other) < 1 for one, other in zip(picture[2:], stage)), (picture, stage)
assert abs(live[3] - stage[1]) < 1 and abs(live[2] / live[3] - 4 / 3) < 0.01, (live, stage)
assert all(abs(at + length / 2 - other - whole / 2) < 1 for at, length, other, whole in zip(
    live[:2], live[2:], picture[:2], picture[2:])), (picture, live)
assert not bob.script("return document.querySelector('video.live').muted")
bob.until(lambda: not bob.all("video"), "the video does not end")
assert bob.all("#live[aria-pressed=false]")
bob.named("Play Live Photo").click()
bob.until(plays)
keys(Keys.ESCAPE)
assert not bob.all("video") and bob.photo.startswith("live.jpg")

# It also plays while the picture is held.
ActionChains(bob.driver).click_and_hold(bob.all(".large")[0]).perform()
bob.until(plays, "the held picture does not play")
ActionChains(bob.driver).release().perform()
assert not bob.all("video")
touch = lambda kind, *points: bob.driver.execute_cdp_cmd(
    "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
bob.touch(True)
touch("touchStart", {"x": 600, "y": 450})
bob.until(plays, "the picture that a finger holds does not play")
touch("touchEnd")
assert not bob.all("video")
# A swipe is no hold.
touch("touchStart", {"x": 600, "y": 450})
touch("touchMove", {"x": 560, "y": 450})
time.sleep(0.6)
assert not bob.all("video")
touch("touchEnd")
bob.touch(False)
assert bob.photo.startswith("live.jpg")

# A slideshow plays a video to its end, without sound, and passes one that cannot be played.
bob.named("Slideshow").click()
bob.until(lambda: bob.photo.startswith("brief.mp4") and plays(), "the slideshow plays no video")
assert bob.script("return document.querySelector('.stage > video').muted")
bob.script("document.addEventListener('ended', event => (window.hasEnded = event.target.currentTime), true)")
bob.until(lambda: bob.photo.startswith("modern.mov"), "the slideshow does not turn")
assert bob.script("return window.hasEnded") > 5.9
bob.has_soon("This browser cannot play this video (HEVC).")
bob.until(lambda: bob.photo.startswith("last.png"), "the slideshow does not pass the video")
assert not bob.all("#slideshow[aria-pressed=true]")

# In place of the video are its poster, if there is one, and a link to the file.
keys(Keys.ARROW_LEFT)
bob.has_soon("This browser cannot play this video (HEVC).")
assert not bob.all("video") and "/library/download" in bob.all(".stage .notice a")[0].get_attribute("href")
bob.check("unplayable")
# The page shows the same when it is opened by itself.
bob.go(bob.path).has_soon("(HEVC)")
# A video that the browser plays stays, and sounds.
keys(Keys.ARROW_LEFT)
bob.until(lambda: bob.photo.startswith("brief.mp4"))
bob.until(lambda: bob.script("return document.querySelector('video').readyState > 0"))
assert not bob.script("return document.querySelector('video').muted") and not bob.all(".stage .notice")
# One that the arrow keys reach waits for its button, which gives way to the controls.
assert not plays()
bob.named("Play video").click()
bob.until(plays, "the button does not play the video")
assert bob.script("return document.querySelector('video').controls") and not bob.all("#play:not([hidden])")
# The preview is upright, and as large as the video.
poster = """const image = new Image(); image.src = document.querySelector("video").poster;
    image.decode().then(() => arguments[0]([image.naturalWidth, image.naturalHeight]))"""
assert bob.driver.execute_async_script(poster) == [240, 320]

# Videos alone are counted as such.
bob.go("/library").bring([video(folder / "first.mp4", date=MAY)]).has_soon("1 video uploaded.")
bob.bring([video(folder / f"{seconds}.mp4", date=MAY, seconds=seconds) for seconds in (3, 4)]).has_soon("2 videos uploaded.")
bob.close()
print("DONE")
