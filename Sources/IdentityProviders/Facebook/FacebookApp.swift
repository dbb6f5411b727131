/// What is known of our app at Facebook beyond its id. There is one: Facebook's ids for people are those of one app, and
/// promise nothing across apps.
package struct FacebookApp: Sendable {
    package let id: String
    package let secret: String
    /// Whether people may sign in with a classic access token, which answers no challenge.
    package var allowsClassicTokens = false
    /// Where the Graph API is, its version included, without a slash at the end.
    package var graphURL = "https://graph.facebook.com/v23.0"

    package init(id: String, secret: String) {
        self.id = id
        self.secret = secret
    }
}
