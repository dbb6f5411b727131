import Flows
import Hummingbird
import IdentityProviders
import PhotolalaAPI

/// The page that verifies an identity for an app's session, to link it or to re-authenticate. The browser's session is
/// not used. Verification starts only with a press of a button on this page, and each one requires a new sign-in at the
/// provider.
struct ProvePage: Sendable {
    let desk: Desk
    /// The issuer in responses (RFC 9207).
    let publicURL: String

    func mount<Context: RequestContext>(on router: RouterGroup<Context>) {
        router.get("/prove") { request, _ in try ask(request) }
        router.get("/prove/{provider}") { request, context in
            try await begin(request, at: try ProviderRounds.provider(context.parameters))
        }
    }

    private func ask(_ request: Request) throws -> Response {
        let visit = Visit(request, catalog: desk.catalog)
        let asked: AppProofRequest
        switch try read(try ProviderRounds.query(request), visit) {
        case .failure(let answer): return answer.response
        case .success(let request): asked = request
        }
        guard let place = Place("prove?\(request.uri.query ?? "")") else {
            return try unanswerable("the request is longer than 2,000 bytes", visit)
        }
        let (browser, isNew) = desk.browser(visit)
        let token = try desk.services.formToken(browser, nil)
        let isLink = asked.purpose == .link
        let ways = ProviderChoice.all(desk.services, for: visit)
            .filter { asked.provider == nil || asked.provider == $0.name }
            .map { choice in
                [
                    "title": visit.texts(isLink ? .linkWith : .confirmWith, [.provider: choice.title]),
                    "path": "/prove/\(choice.name)?to=\(Form.escaped("\(place)"))&\(Form.tokenField)=\(token)",
                ]
            }
        let content: [String: any Sendable] = [
            "title": visit.texts(isLink ? .proveLinkTitle : .confirmTitle),
            "text": visit.texts(isLink ? .proveLinkText : .proveText, [.name: asked.app.client.name]),
            "warning": visit.texts(.proveWarning), "ways": ways,
            "back": answer(asked.app, [("error", "access_denied")]), "backTitle": visit.texts(.deny),
        ]
        return desk.keep(browser, isNew, in: try desk.page("confirm", content, visit))
    }

    private func begin(_ request: Request, at provider: ProviderName) async throws -> Response {
        let visit = Visit(request, catalog: desk.catalog)
        let query = try ProviderRounds.query(request)
        guard let place = query["to"].flatMap({ Place($0) }), case .prove(let raw) = place,
            let parameters = FormParameters(raw.utf8)
        else { throw FlowError.formOutdated }
        guard let browser = visit.browser else {
            return try desk.message(
                visit.texts(.cookiesTitle), visit.texts(.cookiesText), [(visit.texts(.tryAgain), place.path)], visit,
                status: .badRequest)
        }
        // The link may come from another site. The page contains a valid one.
        guard (try? desk.services.check(formToken: query[Form.tokenField], browser, nil)) != nil else {
            return desk.redirect(to: place.path)
        }
        switch try read(parameters, visit) {
        case .failure(let answer): return answer.response
        case .success(let asked):
            return desk.redirect(
                to: try await desk.services.beginProof(
                    at: provider, for: asked, in: browser, returnTo: place.description))
        }
    }

    /// Shows the verified identity before the app receives it. The page contains a link to the app, because a browser
    /// may refuse to follow a provider's form to an app's URI.
    func proved(_ code: String, _ email: String?, for place: Place, _ visit: Visit) throws -> Response {
        guard case .prove(let raw) = place, let parameters = FormParameters(raw.utf8) else {
            throw FlowError.formOutdated
        }
        switch try read(parameters, visit) {
        case .failure(let answer): return answer.response
        case .success(let asked):
            let texts = visit.texts
            let name = asked.app.client.name
            let text = [email, texts(.provedText, [.name: name])].compactMap { $0 }.joined(separator: " · ")
            return try desk.message(
                texts(.provedTitle), text,
                [(texts(.backTo, [.name: name]), answer(asked.app, [("code", code)]))], visit, status: .ok)
        }
    }

    /// A final response in place of the page.
    private struct Answered: Error { let response: Response }

    private func read(_ query: FormParameters, _ visit: Visit) throws -> Result<AppProofRequest, Answered> {
        do throws(AppRequestError) {
            return .success(try desk.services.appProofRequest { query[$0] })
        } catch {
            switch error {
            case .unanswerable(let words): return .failure(Answered(response: try unanswerable(words, visit)))
            case .refused(let redirectURI, let state, let code, let words):
                let parameters = [("error", code), ("error_description", words)]
                return .failure(
                    Answered(
                        response: desk.redirect(
                            to: AppAnswer(issuer: publicURL, state: state).address(redirectURI, parameters))))
            }
        }
    }

    private func unanswerable(_ words: String, _ visit: Visit) throws -> Response {
        try desk.message(
            visit.texts(.refusedTitle), "\(visit.texts(.authorizeWrong)) (\(words))", [], visit, status: .badRequest)
    }

    private func answer(_ app: AppRequest, _ parameters: [(String, String)]) -> String {
        AppAnswer(issuer: publicURL, state: app.state).address(app.redirectURI, parameters)
    }
}
