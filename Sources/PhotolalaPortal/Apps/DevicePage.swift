import Hummingbird
import Localization
import UseCases

/// The page to approve a device without a browser (RFC 8628 section 3.3): the person types the code that the device
/// shows, sees the app's name and decides. No URL contains a code: such a link could trick a person into approving an
/// attacker's device (RFC 8628 section 5.4).
struct DevicePage: Sendable {
    let context: PageContext

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/device") { request, _ in try await show(request) }
        router.post("/device") { request, _ in try await handleForm(request) }
    }

    private func show(_ request: Request) async throws -> Response {
        let page: AccountPage
        do {
            page = try await AccountPage(request, context)
        } catch ServiceError.unauthorized, ServiceError.sessionEnded {
            return context.redirect(to: SignInPages.path("/sign-in", to: .device))
        }
        // Re-authentication comes first, so that the code is typed only once.
        guard isRecentlyAuthenticated(page) else { return context.redirectToReauthentication(to: .device) }
        return try codeForm(page)
    }

    private func isRecentlyAuthenticated(_ page: AccountPage) -> Bool {
        (try? context.services.sensitiveActions.requireRecentAuthentication(page.caller, for: .authorizeApp)) != nil
    }

    /// - Parameter typed: What the person has typed before choosing another language.
    private func codeForm(_ page: AccountPage, isWrong: Bool = false, typed: String = "") throws -> Response {
        try context.page(
            "device_code", ["isWrong": isWrong, "formToken": page.formToken, "code": typed], page.browserRequest,
            keeping: "typed", status: isWrong ? .notFound : .ok)
    }

    private func handleForm(_ request: Request) async throws -> Response {
        let form = try await Form(request)
        guard var page = try await AccountPage.sender(of: form, request, context) else {
            return context.redirect(to: PageLocation.device.path)
        }
        let code = form["user_code"] ?? ""
        // The answer has the code in another language, so that no address has it.
        if let choice = try AppearanceChoice(form) {
            page.browserRequest.apply(choice, catalog: context.catalog)
            var response = try codeForm(page, typed: code)
            response.set(choice)
            return response
        }
        guard let waiting = try await context.services.deviceAuthorization.pendingDevice(code, caller: page.caller)
        else {
            return try codeForm(page, isWrong: true)
        }
        guard form["allow"] != nil || form["deny"] != nil else { return try showApproval(about: waiting, code, page) }
        return try await decide(form["allow"] != nil, on: waiting, page)
    }

    private func showApproval(about waiting: PendingDevice, _ code: String, _ page: AccountPage) throws -> Response {
        let texts = page.browserRequest.texts
        var content: [String: any Sendable] = [
            "title": texts(.authorizeTitle, [.name: waiting.app.name]),
            "text": texts(.authorizeText, [.name: waiting.app.name]), "code": code, "formToken": page.formToken,
        ]
        content["platform"] = waiting.platform?.title
        return try context.page("device_allow", content, page.browserRequest)
    }

    private func decide(_ isAllowed: Bool, on waiting: PendingDevice, _ page: AccountPage) async throws -> Response {
        do throws(ServiceError) {
            try await context.services.deviceAuthorization.decide(isAllowed, on: waiting, caller: page.caller)
        } catch {
            switch error {
            case .reauthenticationRequired: return context.redirectToReauthentication(to: .device)
            case .notFound: return try codeForm(page, isWrong: true)
            default: throw error
            }
        }
        let texts = page.browserRequest.texts
        return try context.message(
            texts(isAllowed ? .deviceAllowedTitle : .deviceDeniedTitle),
            texts(isAllowed ? .deviceAllowedText : .deviceDeniedText),
            [(texts(.back), Section.devices.path)], page.browserRequest, status: .ok)
    }
}
