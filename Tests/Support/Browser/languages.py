"""The portal in all languages: complete, accessible and fully translated."""
import re
from portal import Browser

TITLES = {"de": "Anmelden", "ja": "サインイン", "ko": "로그인", "es": "Iniciar sesión"}
PAGES = {"account": "/account", "links": "/account/links", "devices": "/account/devices",
         "activity": "/account/activity", "confirm": "/account/confirm"}
english = {}
for language in ["en", "de", "ja", "ko", "es"]:
    browser = Browser(language=language)

    def look(name):
        assert browser.driver.find_element("tag name", "html").get_attribute("lang") == language
        text = browser.text
        assert not re.search(r"\{[a-z]+\}|\b[a-z]+_[a-z_]+\b", text), f"{name} in {language}:\n{text}"
        if language == "en":
            english[name] = browser.title
        elif name in english:
            assert browser.title != english[name], f"{name} in {language} is in English"
        # Colours are the same in all languages.
        browser.check(f"{name}-{language}", schemes=("light", "dark") if language == "en" else ("light",))

    browser.go("/sign-in")
    assert browser.title == TITLES.get(language, "Sign in"), browser.title
    look("sign-in")
    browser.go("/").is_at("/")
    look("welcome")
    browser.go("/create-account")
    look("create-account")
    browser.driver.find_elements("css selector", ".choices a")[0].click()
    browser.press("bob" if language == "en" else {"de": "alice", "ja": "carol"}.get(language, "bob"))
    if language in ("ko", "es"):
        # Bob already has an account.
        look("exists")
        browser.driver.find_elements("css selector", "main .button")[0].click()
        browser.press("bob")
    for name, path in PAGES.items():
        browser.go(path).is_at(path)
        look(name)
    browser.go("/account/devices").all("form[action='/account/devices/remove'] button")[0].click()
    browser.until(lambda: browser.all("input[name=confirmed]"))
    look("question")
    browser.go("/nowhere-at-all")
    look("not-found")
    browser.close()
print("DONE")
