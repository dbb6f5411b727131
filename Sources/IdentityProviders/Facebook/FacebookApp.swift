/// The app at Facebook. There is exactly one: Facebook's ids for people are scoped to an app.
package struct FacebookApp: Sendable {
    package let id: String
    package let secret: String
    /// Whether classic access tokens are accepted, which answer no challenge.
    package var allowsClassicTokens = false
    /// The base URL of the Graph API including its version, without a trailing slash.
    package var graphURL = "https://graph.facebook.com/v23.0"

    package init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }
}
