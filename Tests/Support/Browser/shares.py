"""Bob shares an album and selected photos by links, which Ann opens without an account."""
import json, os, pathlib, urllib.error, urllib.request, zipfile
from pictures import png
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
MAY = 1715767200

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
for number, name in enumerate(["lake", "beach", "snow", "city"]):
    png(f"camera/secret folder/{name}.png", (number * 60, 99, 200), 640, 480, date=MAY - number * 40 * 86400)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
photolala("album", "create", "Summer")
photolala("album", "add", "Summer", "secret folder/lake.png", "secret folder/beach.png")
address = lambda: bob.driver.find_element("id", "address").get_attribute("value")


def status(url):
    try:
        return urllib.request.urlopen(url).status
    except urllib.error.HTTPError as error:
        return error.code


# A link to an album: its page, and what a visitor sees and does not see.
bob.go("/library/albums").press("Shared links").is_at("/library/shared").has("There are no shared links yet").check("shared-links-empty")
bob.go("/library/albums").press("Summer\n2 items").press("Share").has("Anyone with the link").check("shared-link-new")
assert not bob.driver.find_element("name", "downloads").is_selected()
# A mistake is shown in the dialog, over the album, with what was typed.
bob.fill("title", "Sea").fill("password", "short")
bob.script("document.querySelector('[name=password]').removeAttribute('minlength')")
bob.press("Create link").has("Enter a password of 8 to 128 characters").check("shared-link-problem")
assert bob.driver.find_element("name", "title").get_attribute("value") == "Sea"
bob.fill("title", "Summer").fill("password", "")
bob.driver.find_element("name", "downloads").click()
bob.press("Create link").has("Link created", "Album: Summer · 0 views").check("shared-link")
link = address()
bob.named("Copy link").click()
bob.has_soon("Copied")
bob.go("/library/albums").press("Summer\n2 items").press("Share").has("Create another link").check("shared-link-again")
assert address() == link
ann = Browser()
ann.go(link).check("shared")
assert "2 items · Apr 5 – May 15, 2024" in ann.text.replace("\u2009", " "), ann.text
assert ann.title == "Summer" and len(ann.pictures()) == 2, ann.text
for secret in ["secret folder", "lake", "bob", "Bob"]:
    assert secret not in ann.driver.page_source, secret

# The viewer, its neighbours and the way back.
ann.all(".grid a")[0].click()
ann.until(lambda: "/photo?id=" in ann.path)
ann.until(lambda: ann.script("return document.querySelector('img.large').naturalWidth") == 640)
ann.check("shared-photo").named("Older").click()
ann.until(lambda: "Apr" in ann.driver.find_element("css selector", "h1 small").text)
ann.until(lambda: ann.script("return document.querySelector('img.large').naturalWidth") == 640)
ActionChains(ann.driver).send_keys(Keys.DELETE, Keys.ESCAPE).perform()
ann.until(lambda: ann.title == "Summer" and ann.all(".script #timeline"))

# Printed, a page shows its photos and nothing to press.
ann.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
assert ann.all(".grid img")[0].is_displayed()
controls = [each for each in ann.all("a:not(:has(img)), button") if each.is_displayed()]
assert not controls, [each.get_attribute("outerHTML") for each in controls]
ann.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

# Several photos are downloaded in an archive, without the names that they have in the library.
ann.driver.execute_cdp_cmd(
    "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": os.getcwd() + "/downloads"})
ann.go(link).choose(0).choose(1).named("Download").click()
ann.until(lambda: pathlib.Path("downloads/photos.zip").exists(), "no archive is downloaded")
with zipfile.ZipFile("downloads/photos.zip") as archive:
    assert archive.testzip() is None and archive.namelist() == ["photo-1.png", "photo-2.png"], archive.namelist()

pathlib.Path("downloads/photos.zip").unlink()
ann.go(link).named("Download all").click()
ann.until(lambda: pathlib.Path("downloads/photos.zip").exists(), "not everything is downloaded")

# The page follows the album; a link is changed, protected, and deleted.
photolala("album", "add", "Summer", "secret folder/snow.png")
ann.go(link).has("3 items")
bob.go("/library/albums")
assert [each.text for each in bob.all(".albums .shared")] == ["Shared"], bob.text
bob.check("albums-shared").go("/library/shared").has("Album: Summer · 1 view · Expires")
bob.until(lambda: bob.script("return document.querySelector('.pictured img').naturalWidth > 0"), "no thumbnail")
bob.check("shared-links")
bob.driver.execute_cdp_cmd("Browser.grantPermissions", {
    "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
bob.named("Copy link Summer")
bob.script("document.querySelector('[data-copied]').focus()")
ActionChains(bob.driver).send_keys(Keys.ENTER).perform()
bob.until(lambda: bob.all(".cards [role=status]")[0].text == "Copied", "the copied link is not announced")
copied = bob.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
assert copied == link and bob.script("return document.activeElement.dataset.copied") == "Copied", copied
bob.press("Summer").fill("title", "Sea & sun")
bob.fill("password", "short").script("document.querySelector('[name=password]').removeAttribute('minlength')")
bob.press("Save").has("Enter a password of 8 to 128 characters")
bob.fill("password", "correct horse").driver.find_element("name", "downloads").click()
bob.press("Save").has("Saved.", "With password · No downloads").check("shared-link-saved")
ann.go(link).has("This link is protected by a password").has_not("Sea & sun").check("shared-password")
ann.fill("password", "wrong horse").press("Continue").has("Wrong password. Try again.")
ann.fill("password", "correct horse").press("Continue").has("Sea & sun", "3 items").check("shared-viewonly")
assert not ann.all("#download") and not [box for box in ann.all(".grid input") if box.is_displayed()]
bob.go("/library/shared").press("Sea & sun").press("Delete link").has("Delete the link “Sea & sun”?")
bob.press("Delete link").is_at("/library/shared").has("Link deleted", "There are no shared links yet")
ann.go(link).has("This link isn’t available").check("shared-gone")

# A selection is shared over the grid, and a photo in the trash disappears from it.
bob.go("/library").choose(0).choose(3).press("Share").has("2 selected").press("Create link").is_at("/library")
link = address()
assert bob.script("return document.activeElement.value") == link, "the link is not to be copied next"
bob.named("Close").click()
bob.until(lambda: not bob.all(".grid :checked"), "the selection stays")
# Without scripts the pages work, too.
bob.script_is_off(True).go("/library").choose(1).press("Share").is_at("/library/shared/new").has("1 selected")
bob.press("Create link").is_at("/library/shared/link").has("Link created").press("Delete link").press("Delete link")
bob.is_at("/library/shared").script_is_off(False)
picture = ann.go(link).has("2 items").all(".grid img")[0].get_attribute("src")
assert status(picture) == 200
bob.go("/library").choose(3).press("Move to trash")
ann.script_is_off(True)
ann.go(link).has("1 item").all(".grid a")[0].click()
ann.until(lambda: "/photo?id=" in ann.path)
assert "image/png" == urllib.request.urlopen(ann.all("img.large")[0].get_attribute("src")).headers["content-type"]

# A large photo that is uploaded in the browser gets a preview, which visitors see.
ann.script_is_off(False)
png("wide.png", (90, 30, 60), 2600, 800, date=MAY + 86400)
with open("wide.png", "ab") as file:
    file.write(os.urandom(1 << 20))
bob.go("/library").bring(["wide.png"]).has_soon("1 photo uploaded.")
bob.go("/library").choose(0).press("Share").press("Create link")
ann.go(address()).all(".grid a")[0].click()
ann.until(lambda: ann.script("return document.querySelector('img.large')?.naturalWidth") == 2048)
assert "/previews/" in ann.all("img.large")[0].get_attribute("src")

# The addresses of pictures end with the link, as the built-in storage endpoint checks it.
bob.go("/library/shared").press("January 16, 2024 – May 15, 2024").press("Delete link").press("Delete link")
assert status(picture) == 403 and status(link) == 404, (status(picture), status(link))

# The command line shares the album, too.
pathlib.Path("password").write_text("correct horse\n")
os.chmod("password", 0o600)
made = json.loads(photolala(
    "share", "create", "--album", "summer", "--title", "Sea", "--password-file", "password", "--json"))["links"][0]
ann.go(made["address"]).has("This link is protected by a password")
ann.fill("password", "correct horse").press("Continue").has("Sea", "3 items")
assert not ann.all("#download")
assert made["address"] in photolala("share", "list")
photolala("share", "revoke", made["address"], "--yes")
assert status(made["address"]) == 404
print("DONE")
