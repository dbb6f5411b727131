import DevelopmentIdentityProvider
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The development provider's sign-in page, where a developer selects an identity.
struct DevelopmentSignIn: Sendable {
    /// The largest accepted form, in bytes.
    private static let formLimit = 64 << 10
    /// Without scripts, the person presses a button.
    private static let script = "document.forms[0].submit()"

    /// Redirect targets of apps. Browsers apply `form-action` to every redirect that follows a form, and policies
    /// cannot contain IPv6 addresses.
    private static let apps = ["http:", "https:"]

    let provider: DevelopmentProvider
    let pages: Pages

    func mount(on router: some RouterMethods) {
        let path = RouterPath(self.path)
        router.get(path) { request, _ in
            try response(to: provider.authorize(query: (request.uri.query ?? "").utf8))
        }
        router.post(path) { request, _ in
            let type = request.headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
            guard type == "application/x-www-form-urlencoded" else {
                return try pages.message(
                    "Invalid request", "Send the form as application/x-www-form-urlencoded.",
                    status: .unsupportedMediaType)
            }
            let form = try await request.body.collect(upTo: Self.formLimit)
            return try response(to: provider.decide(form: form.readableBytesView))
        }
    }

    private var path: String { "/dev/providers/\(provider.name)/\(DevelopmentProvider.Path.authorize)" }

    private func response(to authorization: DevelopmentAuthorization) throws -> Response {
        switch authorization {
        case .reject(let text): try pages.message("Invalid request", text, status: .badRequest)
        case .prompt(let request): try choicePage(request)
        case .respond(let answer) where answer.isForm: try formPost(answer)
        case .respond(let answer):
            Response(status: .seeOther, headers: [.location: answer.location, .cacheControl: "no-store"])
        }
    }

    private func choicePage(_ request: DevelopmentAuthorizationRequest) throws -> Response {
        let content: [String: any Sendable] = [
            "provider": "\(provider.name)", "client": request.client, "redirectURI": request.redirectURI,
            "action": path, "parameters": Self.pairs(request.parameters),
            "persons": DevelopmentPerson.all.map(\.name),
        ]
        let policy = PagePolicy(formActions: ["'self'"] + Self.apps, keepsOpener: true)
        return try pages.page("development_sign_in", content, policy: policy)
    }

    private func formPost(_ answer: DevelopmentAuthorizationResponse) throws -> Response {
        let content: [String: any Sendable] = [
            "action": answer.redirectURI, "parameters": Self.pairs(answer.parameters), "script": Self.script,
        ]
        let policy = PagePolicy(formActions: Self.apps, script: Self.script, keepsOpener: true)
        return try pages.page("form_post", content, policy: policy)
    }

    private static func pairs(_ parameters: [(name: String, value: String)]) -> [[String: String]] {
        parameters.map { ["name": $0.name, "value": $0.value] }
    }
}
