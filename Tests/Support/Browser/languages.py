"""The portal in all languages: complete, accessible and fully translated."""
import os, pathlib, re
from pictures import png
from portal import Browser

TITLES = {"de": "Anmelden", "ja": "サインイン", "ko": "로그인", "es": "Iniciar sesión"}
PAGES = {"account": "/account", "links": "/account/links", "devices": "/account/devices",
         "activity": "/account/activity", "confirm": "/account/confirm", "device-code": "/device",
         "authorize-cli": "/authorize?response_type=code&client_id=photolala&device_platform=Linux"
                          "&redirect_uri=http://127.0.0.1:9/callback&code_challenge_method=S256"
                          "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
         "library-empty": "/library", "trash-empty": "/library/trash"}
english = {}
os.chdir(os.environ["HOME"])
for language in ["en", "de", "ja", "ko", "es"]:
    browser = Browser(language=language)

    def look(name):
        assert browser.driver.find_element("tag name", "html").get_attribute("lang") == language
        text = browser.text
        assert not re.search(r"\{[a-z]+\}|\b[a-z]+_[a-z_]+\b", text), f"{name} in {language}:\n{text}"
        if language == "en":
            english[name] = browser.title
        elif name != "photo":
            assert browser.title != english[name], f"{name} in {language} is in English"
        # Colours are the same in all languages.
        browser.check(f"{name}-{language}", schemes=("light", "dark") if language == "en" else ("light",))

    def choose_provider(path):
        browser.go(path).all(".choices a")[0].click()
        return browser.until(lambda: browser.all("input[name=email]"))

    def sign_in_as(name):
        browser.fill("name", name).all("button[value=other]")[0].click()

    def submit(selector):
        browser.all(selector)[0].click()
        return browser

    browser.go("/sign-in")
    assert browser.title == TITLES.get(language, "Sign in"), browser.title
    look("sign-in")
    browser.go("/").is_at("/")
    look("welcome")
    browser.go("/create-account")
    look("create-account")
    choose_provider("/create-account").press("Cancel")
    look("sign-in-cancelled")
    choose_provider("/sign-in")
    sign_in_as(f"person-{language}")
    browser.arrives("/no-account/")
    look("no-account")
    submit("form[action='/create-account'] button").arrives("/account")
    for name, path in PAGES.items():
        browser.go(path).is_at(path.split("?")[0])
        look(name)
    browser.go("/account/devices")
    submit("form[action='/account/devices/remove'] button").until(lambda: browser.all("input[name=confirmed]"))
    look("question")
    # Photos with names that are the same in all languages.
    browser.go("/library").bring([
        png(pathlib.Path(f"{number}.png"), (number * 80, 100, 90), date=1710072000) for number in (1, 2)])
    browser.until(lambda: browser.all("#upload-show:not([hidden])"))
    look("library-uploaded")
    browser.go("/library").pictures()
    look("library")
    submit("#timeline a").arrives("/library/photo")
    look("photo")
    browser.go("/library").choose(0)
    submit("#chosen .bar button").until(lambda: browser.all("#done"))
    browser.go("/library/trash").pictures()
    look("trash")
    submit("#empty button").until(lambda: browser.all("input[name=confirmed]"))
    look("question-delete")
    browser.go("/nowhere-at-all")
    look("not-found")
    browser.driver.delete_all_cookies()
    choose_provider("/create-account")
    sign_in_as(f"person-{language}")
    browser.until(lambda: browser.path.split("?")[0] != "/create-account" and not browser.all("input[name=email]"))
    look("exists")
    browser.close()
print("DONE")
