import Foundation

/// The result of a request at the development provider's sign-in page.
package enum DevelopmentAuthorization: Sendable {
    /// The sign-in page is shown.
    case ask(DevelopmentAuthorizationRequest)
    /// The response is sent to the app.
    case answer(DevelopmentAuthorizationAnswer)
    /// The error is shown to the person instead of sent to the app; one sentence.
    case refuse(String)
}

/// The response to an app, and how it is delivered.
package struct DevelopmentAuthorizationAnswer: Sendable {
    package let redirectURI: String
    package let parameters: [(name: String, value: String)]
    /// Whether the browser posts a form instead of following a redirect (OAuth 2.0 Form Post Response Mode).
    package let isForm: Bool

    /// The redirect URL with the response parameters.
    package var location: String {
        let query = FormBody.text(parameters.map { ($0.name, $0.value) })
        return "\(redirectURI)\(redirectURI.contains("?") ? "&" : "?")\(query)"
    }
}
