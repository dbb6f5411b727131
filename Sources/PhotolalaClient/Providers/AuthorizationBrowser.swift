import Foundation
import PhotolalaAPI

/// Shows the server's pages in the system's browser or sign-in window, never in a web view of the app.
public protocol AuthorizationBrowser: Sendable {
    /// Opens a page and returns the address to which it redirects.
    /// - Parameter redirectURI: The address without its query.
    /// - Throws: `cancelled` if the user closed the window.
    func open(_ page: URL, until redirectURI: String) async throws(PhotolalaError) -> URL
}

/// The app as one of the server's setting `signIn.apps`.
public struct BrowserClient: Sendable {
    /// The app's ID.
    public let id: String
    /// The redirect address, one of that app's.
    public let redirectURI: String

    /// Creates a client.
    public init(id: String, redirectURI: String) {
        self.id = id
        self.redirectURI = redirectURI
    }
}

extension PhotolalaSession {
    /// Signs in on the server's pages, which offer every provider of the server.
    /// - Parameters:
    ///   - provider: The provider that the user chose in the app, which the page shows first.
    ///   - createsAccount: Starts with the page that creates an account.
    /// - Throws: The errors of ``beginBrowserSignIn(client:redirectURI:provider:createsAccount:)`` and
    ///   ``finish(_:callback:)``, and of the browser.
    @discardableResult
    public func signIn(
        in browser: any AuthorizationBrowser, as client: BrowserClient, provider: ProviderName? = nil,
        createsAccount: Bool = false
    ) async throws(PhotolalaError) -> User {
        let signIn = try await beginBrowserSignIn(
            client: client.id, redirectURI: client.redirectURI, provider: provider, createsAccount: createsAccount)
        return try await finish(signIn, callback: try await browser.open(signIn.url, until: client.redirectURI))
    }

    /// Links another identity with an authentication on the server's pages.
    /// - Throws: The errors of ``beginBrowserLink(client:redirectURI:provider:)`` and ``link(_:callback:)``, and of the
    ///   browser.
    @discardableResult
    public func link(
        in browser: any AuthorizationBrowser, as client: BrowserClient, provider: ProviderName? = nil
    ) async throws(PhotolalaError) -> [LinkedProvider] {
        let proof = try await beginBrowserLink(
            client: client.id, redirectURI: client.redirectURI, provider: provider)
        return try await link(proof, callback: try await browser.open(proof.url, until: client.redirectURI))
    }

    /// Reauthenticates on the server's pages.
    /// - Throws: The errors of ``beginBrowserReauthentication(client:redirectURI:provider:)`` and
    ///   ``reauthenticate(_:callback:)``, and of the browser.
    public func reauthenticate(
        in browser: any AuthorizationBrowser, as client: BrowserClient, provider: ProviderName? = nil
    ) async throws(PhotolalaError) {
        let proof = try await beginBrowserReauthentication(
            client: client.id, redirectURI: client.redirectURI, provider: provider)
        try await reauthenticate(proof, callback: try await browser.open(proof.url, until: client.redirectURI))
    }
}
