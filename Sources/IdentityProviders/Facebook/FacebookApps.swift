/// What is known of our apps at Facebook beyond their ids.
package struct FacebookApps: Sendable {
    /// The secret of each app id, in the order in which the apps are tried.
    package let secrets: [(app: String, secret: String)]
    /// Whether people may sign in with a classic access token, which answers no challenge.
    package var allowsClassicTokens = false
    /// Where the Graph API is, its version included, without a slash at the end.
    package var graphURL = "https://graph.facebook.com/v23.0"

    package init(secrets: [(app: String, secret: String)]) { self.secrets = secrets }
}
