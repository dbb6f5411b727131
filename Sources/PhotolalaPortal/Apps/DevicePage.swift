import Flows
import Hummingbird

/// Where a person lets a device in that has no browser (RFC 8628 section 3.3): types the code that it shows, sees which app and
/// device wait with it, and decides.
struct DevicePage: Sendable {
    let desk: Desk

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/device") { request, _ in try await show(request) }
        router.post("/device") { request, _ in try await decide(request) }
    }

    private func show(_ request: Request) async throws -> Response {
        let code = try ProviderRounds.query(request)["user_code"] ?? ""
        let page: AccountPage
        do {
            page = try await AccountPage(request, desk)
        } catch FlowError.unauthorized, FlowError.sessionEnded {
            let place = Place("device/\(code)") ?? .device(code: "")
            return desk.redirect(to: "/sign-in?to=\(Form.escaped("\(place)"))")
        }
        guard !code.isEmpty else { return try question(page, isWrong: false) }
        guard let waiting = try await desk.services.waitingDevice(code, caller: page.caller) else {
            return try question(page, isWrong: true)
        }
        let texts = page.visit.texts
        let content: [String: any Sendable] = [
            "title": texts(.authorizeTitle, [.name: waiting.app.name]),
            "text": texts(.authorizeText, [.name: waiting.app.name]), "device": waiting.device.name, "code": code,
            "formToken": page.formToken,
        ]
        return try desk.page("device_allow", content, page.visit)
    }

    private func question(_ page: AccountPage, isWrong: Bool) throws -> Response {
        try desk.page("device_code", ["isWrong": isWrong], page.visit, status: isWrong ? .notFound : .ok)
    }

    private func decide(_ request: Request) async throws -> Response {
        let form = try await Form(request)
        let place = Place("device/\(form["code"] ?? "")") ?? .device(code: "")
        guard let page = try await AccountPage.sender(of: form, request, desk) else {
            return desk.redirect(to: place.path)
        }
        guard let waiting = try await desk.services.waitingDevice(form["code"] ?? "", caller: page.caller) else {
            return try question(page, isWrong: true)
        }
        let isAllowed = form["allow"] != nil
        do throws(FlowError) {
            try await desk.services.decide(isAllowed, on: waiting, caller: page.caller)
        } catch {
            guard error == .reauthenticationRequired else { throw error }
            return desk.confirm(to: place)
        }
        let texts = page.visit.texts
        return try desk.message(
            texts(isAllowed ? .deviceAllowedTitle : .deviceDeniedTitle),
            texts(isAllowed ? .deviceAllowedText : .deviceDeniedText),
            [(texts(.back), Section.devices.path)], page.visit, status: .ok)
    }
}
