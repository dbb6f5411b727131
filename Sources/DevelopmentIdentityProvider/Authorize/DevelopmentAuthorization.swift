import Foundation
import IdentityProviders

/// The result of a request at the development provider's sign-in page.
package enum DevelopmentAuthorization: Sendable {
    /// The sign-in page is shown.
    case prompt(DevelopmentAuthorizationRequest)
    /// The response is sent to the app.
    case respond(DevelopmentAuthorizationResponse)
    /// The error is shown to the person instead of sent to the app; one sentence.
    case reject(String)
}

/// The response to an app, and how it is delivered.
package struct DevelopmentAuthorizationResponse: Sendable {
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
