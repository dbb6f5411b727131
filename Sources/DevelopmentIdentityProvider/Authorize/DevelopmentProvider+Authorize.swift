import Foundation
import IdentityProviders

extension DevelopmentProvider {
    /// Handles a request to the authorization endpoint (RFC 6749 section 4.1.1), which an app opens in a browser.
    /// - Parameter query: the query of the URL, percent-encoded.
    package func authorize(query: some Sequence<UInt8>) -> DevelopmentAuthorization {
        withRequest(query) { _, request in .prompt(request) }
    }

    /// Handles the person's choice on the page: a member of `DevelopmentPerson.all`, another person, or cancel.
    /// - Parameter form: the request's own parameters, and `person` (for `other` with `name` and an optional `email`)
    ///   or `cancel`.
    package func decide(form: some Sequence<UInt8>) -> DevelopmentAuthorization {
        withRequest(form) { form, request in
            guard form["cancel"] == nil else {
                let code = shape == .apple ? "user_cancelled_authorize" : "access_denied"
                return .respond(response(request, [("error", code)]))
            }
            guard let choice = form["person"] else { return .prompt(request) }
            let isOther = choice == "other"
            let name = isOther ? form["name"] : choice
            guard let person = name.flatMap({ DevelopmentPerson($0, email: isOther ? form["email"] : nil) }) else {
                return .reject(
                    "Enter a name of 1 to 64 letters, digits, “.”, “-” or “_”, and an email address with an @.")
            }
            return issueResponse(for: person, request)
        }
    }

    private func withRequest(
        _ parameters: some Sequence<UInt8>,
        _ body: (FormParameters, DevelopmentAuthorizationRequest) -> DevelopmentAuthorization
    ) -> DevelopmentAuthorization {
        guard let form = FormParameters(parameters) else {
            return .reject("The URL has a malformed or repeated parameter.")
        }
        guard let (client, redirectURI) = DevelopmentAuthorizationRequest.parseClient(form) else {
            return .reject(
                "client_id or redirect_uri is missing, or redirect_uri is not a loopback http URL (127.0.0.1, "
                    + "localhost or [::1], without a fragment).")
        }
        do throws(DevelopmentAuthorizationError) {
            let request = try DevelopmentAuthorizationRequest(
                form, client: client, redirectURI: redirectURI, shape: shape)
            return body(form, request)
        } catch {
            return .respond(
                DevelopmentAuthorizationResponse(
                    redirectURI: redirectURI,
                    parameters: responseParameters(
                        [("error", error.code), ("error_description", error.words)], state: form["state"]),
                    isForm: form["response_mode"] == "form_post"))
        }
    }

    private func issueResponse(
        for person: DevelopmentPerson, _ request: DevelopmentAuthorizationRequest
    ) -> DevelopmentAuthorization {
        let token = person.request(client: request.client, nonce: request.nonce)
        let binding = DevelopmentGrants.Binding(
            redirectURI: request.redirectURI, codeChallenge: request.codeChallenge)
        guard let issued = try? issueToken(token, boundTo: binding) else {
            return .respond(response(request, [("error", "server_error")]))
        }
        var parameters = [("code", issued.authorizationCode)]
        if request.wantsIDToken { parameters.append(("id_token", issued.idToken)) }
        let isNew = grants.withLock { $0.recordAuthorization(of: token.subject, by: request.client) }
        if request.wantsName, isNew { parameters.append(("user", Self.user(person))) }
        return .respond(response(request, parameters))
    }

    private func response(
        _ request: DevelopmentAuthorizationRequest, _ parameters: [(String, String)]
    ) -> DevelopmentAuthorizationResponse {
        DevelopmentAuthorizationResponse(
            redirectURI: request.redirectURI, parameters: responseParameters(parameters, state: request.state),
            isForm: request.answersByForm)
    }

    /// Adds the parameters of all responses; Google includes the issuer (RFC 9207 section 2).
    private func responseParameters(_ parameters: [(String, String)], state: String?) -> [(name: String, value: String)]
    {
        let issuers = shape == .google ? [("iss", issuer)] : []
        return (parameters + issuers + (state.map { [("state", $0)] } ?? [])).map { (name: $0.0, value: $0.1) }
    }

    /// Returns the user data that Apple sends once, unsigned, at the first authorization.
    private static func user(_ person: DevelopmentPerson) -> String {
        struct User: Encodable {
            struct Name: Encodable {
                var firstName: String
                var lastName: String
            }
            var name: Name
            var email: String
        }
        let parts = person.displayName.split(separator: " ")
        let user = User(
            name: .init(firstName: String(parts[0]), lastName: String(parts[1])), email: person.email)
        return (try? json(user)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
