"""Bob downloads everything that is stored about him, also while the deletion of his account is scheduled."""
import os, pathlib, struct, subprocess, sys, zipfile
import requests
from pictures import png
from portal import SERVER, Browser
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
DOWNLOAD = SERVER + "/account/data/download"
bob = Browser()


def sign_in(button):
    bob.press(button).until(lambda: bob.all("input[name=email]"))
    bob.fill("name", "bob").all("button[value=other]")[0].click()
    bob.arrives("/library" if button.startswith("Create") else "/account")


def get(**headers):
    cookies = "; ".join(f"{name}={value}" for name, value in bob.cookie_values().items())
    return requests.get(DOWNLOAD, headers={"Cookie": cookies, **headers}, allow_redirects=False)


def verify(archive):
    """Returns the names in an archive after its own script has verified it."""
    pathlib.Path("export.zip").write_bytes(archive)
    with zipfile.ZipFile("export.zip") as export:
        assert export.testzip() is None
        export.extract("verify-export")
        names = export.namelist()
    run = subprocess.run([sys.executable, "verify-export", "export.zip"], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return names


bob.go("/create-account")
sign_in("Create account with Apple")
bob.go("/library").bring([
    png(pathlib.Path(f"{number}.png"), (number * 80, 100, 90), date=1710072000) for number in (1, 2, 3)])
bob.has_soon("3 photos uploaded.")
bob.go("/library").pictures()
bob.choose(0).press("Move to trash").until(lambda: bob.all("#done"))

# The middle of a photo becomes the profile picture, which all pages show from the browser's cache.
shown = "return document.querySelector('.round > .portrait')?.naturalWidth"
save = lambda: bob.all("#picture canvas ~ p > button")[0]


def portray(name, problem=None):
    """Chooses a file as profile picture."""
    bob.all("#picture-file")[0].send_keys(str(pathlib.Path(name).absolute()))
    bob.has_soon(problem or "not saved yet")
    is_read = problem is None
    assert save().is_displayed() == bob.all("#picture canvas")[0].is_displayed() == is_read


bob.go("/account")
assert bob.script(shown) is None and not save().is_displayed()
pathlib.Path("none.png").write_text("<svg/>")
portray("1.png")
portray("none.png", "can’t read this picture")
# The header of a picture with 400 megapixels.
header = bytearray(pathlib.Path("1.png").read_bytes())
header[16:24] = struct.pack(">II", 20_000, 20_000)
pathlib.Path("huge.png").write_bytes(header)
portray("huge.png", "This picture is too large.")
portray("2.png")
bob.check("account-picture").press("Save picture").is_at("/account").has("Saved.")
bob.press("Remove picture").has("Remove your picture?").press("Remove picture").is_at("/account")
assert bob.script(shown) is None
# The tab undoes the change of a picture and of other settings, once.
bob.press("Undo").is_at("/account").until(lambda: bob.script(shown) == 256)
portray("3.png")
bob.press("Save picture")
value = lambda: bob.all("#name")[0].get_attribute("value")
former = value()
bob.fill("name", "Roberta").press("Save").has("Saved.")
assert value() == "Roberta" and len(bob.all("main button[type=button]")) == 1
bob.check("account-undo").press("Undo").has("Saved.")
assert value() == former, (value(), former)
bob.go("/account").has_not("Undo")

# On a phone, what has the focus is not under the bar at the bottom.
bob.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
    "width": 390, "height": 600, "deviceScaleFactor": 1, "mobile": True})
bob.go("/account")
focused, hidden = 0, """const bar = document.querySelector(".rail").getBoundingClientRect();
    const { activeElement: at } = document, { top, bottom } = at.getBoundingClientRect();
    return at.closest("main") ? [at.textContent || at.id, bottom > bar.top || top < 0] : null"""
for _ in range(60):
    ActionChains(bob.driver).send_keys(Keys.TAB).perform()
    found = bob.script(hidden)
    focused += found is not None
    assert not (found and found[1]), found
assert focused > 15, focused
bob.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
for path in ("/account", "/library"):
    bob.go(path).until(lambda: bob.script(shown) == 256)
assert bob.script("return performance.getEntriesByType('resource').filter(each =>"
                  " each.name.includes('/account/picture?v=')).map(each => each.transferSize)") == [0]

bob.go("/account").press("Download your data").is_at("/account/data").has_not("Your export").check("export-none")
assert get().headers["Location"] == "/account/data"
bob.press("Create export").is_at("/account/data").has("The export contains 3 items.", "Available until").check("export")
link = bob.named("Download").get_attribute("href")
assert link == DOWNLOAD, link

# The browser itself saves the file.
folder = pathlib.Path("downloads").absolute()
bob.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
bob.named("Download").click()
bob.until(lambda: list(folder.glob("photolala-*.zip")), "no file is saved")
saved = next(folder.glob("photolala-*.zip")).read_bytes()
names = verify(saved)
photos = [name for name in names if name.endswith(".png")]
assert len(photos) == 3 and sum(name.startswith("trash/") for name in photos) == 1, names
assert {"catalog.csv", "account/profile.json", "account/devices.json", "account/history.json",
        "account/picture.jpg"} < set(names), names

# An interrupted download continues, and has the same bytes.
whole = get()
half = len(whole.content) // 2
rest = get(Range=f"bytes={half}-", **{"If-Range": whole.headers["ETag"]})
assert whole.content == saved and rest.status_code == 206, rest.status_code
assert saved[:half] + rest.content == saved
head = requests.head(DOWNLOAD, headers=whole.request.headers)
assert head.headers["Content-Length"] == str(len(saved)) and not head.content

# Another browser is asked to sign in.
assert requests.get(DOWNLOAD, allow_redirects=False).headers["Location"] == "/sign-in?to=%2Faccount%2Fdata"

bob.go("/account/delete").fill("confirmation", "DELETE").press("Delete account").go("/account").is_at("/sign-in")
sign_in("Sign in with Apple")
bob.press("Download your data").is_at("/account/data").has("will be deleted on").check("export-deleting")
assert get().content == saved
bob.press("Create export").is_at("/account/data")
newer = get().content
assert newer != saved and sorted(verify(newer)) == sorted(names)
bob.go("/account/activity").has("Account data exported").close()
print("DONE")
