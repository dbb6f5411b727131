import Foundation

/// What comes of a request at the development provider's sign-in page.
package enum DevelopmentAuthorization: Sendable {
    /// The person is asked who they are.
    case ask(DevelopmentAuthorizationRequest)
    /// The app is answered.
    case answer(DevelopmentAuthorizationAnswer)
    /// Nobody but the person can be told; one sentence.
    case refuse(String)
}

/// What an app is told, and how it gets there.
package struct DevelopmentAuthorizationAnswer: Sendable {
    package let redirectURI: String
    package let parameters: [(name: String, value: String)]
    /// By a form that the browser posts, in place of a redirect (OAuth 2.0 Form Post Response Mode).
    package let isForm: Bool

    /// Where a redirect leads.
    package var location: String {
        let query = FormBody.text(parameters.map { ($0.name, $0.value) })
        return "\(redirectURI)\(redirectURI.contains("?") ? "&" : "?")\(query)"
    }
}
