"""Makes the requests of schemathesis meaningful: signed-in accounts, tokens of the development providers, existing
devices and signed purchases. What schemathesis generated invalid stays invalid.

SERVER is the server's address; TRANSACTION and NOTIFICATION are signed by the App Store that it trusts.
"""

import base64
import json
import os
import re
import uuid

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation as Location

SERVER = os.environ["SERVER"]
# One pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
http = requests.Session()


def post(path, body=None, token=None, status=(200, 201)):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = http.post(SERVER + path, json=body, headers=headers)
    assert response.status_code in status, (path, response.status_code, response.text)
    return response


def id_token(subject, provider="apple"):
    return post(f"/dev/providers/{provider}/token", {"subject": subject}).json()["idToken"]


class Account:
    """An account with two devices, signed in on the first one."""

    def __init__(self):
        self.subject = f"subject-{uuid.uuid4()}"
        self.device = str(uuid.uuid4())
        answer = self.sign("up", self.device)
        self.user = answer["user"]["serviceUserID"]
        self.link = answer["user"]["linkedProviders"][0]["linkID"]
        self.token = answer["session"]["accessToken"]
        self.refresh_token = answer["session"]["refreshToken"]
        self.other_device = str(uuid.uuid4())
        self.sign("in", self.other_device)
        self.export = None
        http.put(**self.profile(), json={"displayName": "Bob"})

    def profile(self):
        headers = {"Authorization": f"Bearer {self.token}"}
        return {"url": f"{SERVER}/users/{self.user}/profile", "headers": headers}

    def profile_tag(self):
        return http.get(**self.profile()).headers["ETag"]

    def picture_tag(self):
        """The tag of the profile picture, which is created if there is none."""
        picture = {"url": f"{SERVER}/users/{self.user}/picture", "headers": self.profile()["headers"]}
        return http.put(**picture, data=PNG).headers["ETag"]

    def sign(self, direction, device):
        body = {"provider": "apple", "idToken": id_token(self.subject)}
        body["device"] = {"id": device, "name": "device", "platform": "test"}
        return post(f"/auth/sign{direction}", body).json()


class Accounts:
    """The current account, replaced once a call may have ended its session."""

    current = None
    # The account that has the subscription.
    owner = None

    def account(self):
        self.current = self.current or Account()
        return self.current

    def move_ticket(self):
        if self.owner is None:
            self.owner = Account()
            purchase = {"signedTransaction": os.environ["TRANSACTION"]}
            presented = post("/subscriptions/app-store", purchase, self.owner.token, status=(200, 409))
            if presented.status_code == 409:
                post("/subscriptions/app-store/move", purchase, self.owner.token)
        body = {"originalTransactionID": "2000000777"}
        return post("/subscriptions/app-store/move-ticket", body, self.owner.token).json()["moveTicket"]


accounts = Accounts()
# After these the account or its session is not as before.
ENDING = {
    "POST /auth/signout", "POST /auth/signout-everywhere", "DELETE /auth/devices/{id}", "POST /auth/unlink-account",
    "POST /account/deletion", "POST /auth/link-account", "POST /auth/reauthenticate",
}


@schemathesis.auth(refresh_interval=None, retry_on=[])
class SignedIn:
    def get(self, case, context):
        return accounts.account().token

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"


def is_positive(case, location):
    component = case.meta.components.get(location) if case.meta else None
    return component is None or component.mode.is_positive


def own_path(case, account):
    path = case.path_parameters
    if "serviceUserID" in path:
        path["serviceUserID"] = account.user
    elif "linkID" in path:
        path["linkID"] = account.link
    elif case.operation.label == "DELETE /auth/devices/{id}":
        path["id"] = account.other_device
    elif case.operation.label == "PUT /auth/devices/{id}/last-sync":
        path["id"] = account.device
    elif case.operation.label == "GET /account/export/{id}":
        account.export = account.export or post("/account/export", token=account.token).json()["id"]
        path["id"] = account.export


def replace_identity(body, subject):
    """Replaces a valid provider and token by those of a person, and a challenge, which was not issued, by none."""
    provider, token = body.get("provider"), body.get("idToken")
    if isinstance(provider, str) and re.fullmatch("[a-z0-9-]{1,32}", provider) and provider != "email":
        body["provider"] = "apple"
    if isinstance(token, str) and len(token) % 2 == 0:
        body["idToken"] = id_token(subject)
        if isinstance(body.get("challenge"), str):
            body["challenge"] = None


def own_body(label, body, account):
    if label in ("POST /auth/signup", "POST /auth/continue", "POST /auth/link-account"):
        replace_identity(body, f"new-{uuid.uuid4()}")
    elif label in ("POST /auth/signin", "POST /auth/reauthenticate"):
        replace_identity(body, account.subject)
    for name, value in [
        ("deviceID", account.device), ("linkID", account.link), ("refreshToken", account.refresh_token),
        ("client_id", "photolala"), ("signedTransaction", os.environ["TRANSACTION"]),
    ]:
        if isinstance(body.get(name), str) and (name not in ("deviceID", "linkID") or is_uuid(body[name])):
            body[name] = value
    if label == "POST /subscriptions/app-store/move" and isinstance(body.get("moveTicket"), str):
        body["moveTicket"] = accounts.move_ticket()
    if label.endswith("/profile") and isinstance(body.get("picture"), str):
        body["picture"] = re.sub("^users/[0-9a-f-]{36}/", f"users/{account.user}/", body["picture"])


def is_uuid(text):
    try:
        return bool(uuid.UUID(text))
    except ValueError:
        return False


def event(label):
    """Returns the body that a provider or the App Store sends."""
    if label == "POST /webhooks/app-store":
        return json.loads(os.environ["NOTIFICATION"])
    provider = label.split("/")[2]
    text = post(f"/dev/providers/{provider}/event", {"type": "verification", "subject": "none"}).text
    if provider == "facebook":
        return {"signed_request": text.removeprefix("signed_request=")}
    return json.loads(text) if provider == "apple" else text


@schemathesis.serializer("image/jpeg", "image/png", "image/webp")
def image(context, value):
    """A character is a byte."""
    return value if isinstance(value, bytes) else str(value).encode("latin-1", "replace")


@schemathesis.serializer("application/secevent+jwt")
def security_event(context, value):
    return value if isinstance(value, bytes) else str(value).encode()


@schemathesis.hook
def before_call(context, case, kwargs):
    label, account = case.operation.label, accounts.account()
    if case.path_parameters and is_positive(case, Location.PATH):
        own_path(case, account)
    if isinstance(case.body, dict):
        own_body(label, case.body, account)
    if label == "POST /links" and is_positive(case, Location.BODY):
        # The schema does not know which albums and photos exist, nor what a title and a password may contain.
        others = {name: case.body[name] for name in ("allowsDownloads", "includesLocation")}
        case.body = {"album": "0" * 16, "title": "Summer", **others}
    if label == "POST /uploads/batch" and is_positive(case, Location.BODY):
        # The schema cannot say that uploads of different sizes must be of different objects.
        for number, upload in enumerate(case.body["uploads"]):
            upload["md5" if upload["kind"] == "photo" else "photo"] = f"{number:032x}"
            # Nor that the body has at most 128 KiB.
            if number >= 100:
                for name in upload.keys() - {"md5", "size", "kind", "photo"}:
                    del upload[name]
    has_text = isinstance(case.body, (str, bytes))
    if label == "PUT /users/{serviceUserID}/picture" and has_text and is_positive(case, Location.BODY):
        # The schema describes a text.
        case.body = PNG.decode("latin-1")
    if is_positive(case, Location.HEADER) and case.headers and "If-Match" in case.headers:
        tag = account.picture_tag() if label.endswith("/picture") else account.profile_tag()
        if case.headers["If-Match"] != "*":
            case.headers["If-Match"] = tag
    if label.startswith("POST /webhooks/") and is_positive(case, Location.BODY):
        case.body = event(label)


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.label in ENDING and response.status_code < 300 or response.status_code == 401:
        accounts.current = None
    if case.operation.label == "POST /subscriptions/app-store/move" and response.status_code < 300:
        accounts.owner = None
