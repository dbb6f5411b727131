import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Authenticates on the server's pages in the user's browser.
struct BrowserIdentity {
    /// The timeout, in minutes.
    private static let patience = 10
    /// The client ID of the command line at every server.
    static let client = "photolala"

    let session: PhotolalaSession
    let opensBrowser: Bool
    /// The provider that the user chose on the command line.
    let provider: ProviderName?

    func signIn(createsAccount: Bool) async throws -> User {
        let listener = try LoopbackListener()
        let signIn = try await session.beginBrowserSignIn(
            client: Self.client, redirectURI: listener.redirectURI, provider: provider,
            createsAccount: createsAccount)
        // A server that does not answer is reported before a person opens its page.
        _ = try await session.challenge(for: createsAccount ? .signup : .signin)
        let callback = try await waitForCallback(to: signIn.url, on: listener, if: signIn.isCallback)
        return try await session.finish(signIn, callback: callback)
    }

    /// Links an identity. If the session's last authentication is too old, the user reauthenticates first.
    func link() async throws -> [LinkedProvider] {
        do {
            return try await linkNow()
        } catch let error as PhotolalaError where error.code == .reauthenticationRequired {
            Terminal.writeNotice("Reauthenticate with a provider that is already linked.")
            try await BrowserIdentity(session: session, opensBrowser: opensBrowser, provider: nil).reauthenticate()
            Terminal.writeNotice("Now sign in with the provider to link.")
            return try await linkNow()
        }
    }

    func reauthenticate() async throws {
        let listener = try LoopbackListener()
        let proof = try await session.beginBrowserReauthentication(
            client: Self.client, redirectURI: listener.redirectURI, provider: provider)
        let callback = try await waitForCallback(to: proof.url, on: listener, if: proof.isCallback)
        try await session.reauthenticate(proof, callback: callback)
    }

    private func linkNow() async throws -> [LinkedProvider] {
        let listener = try LoopbackListener()
        let proof = try await session.beginBrowserLink(
            client: Self.client, redirectURI: listener.redirectURI, provider: provider)
        let callback = try await waitForCallback(to: proof.url, on: listener, if: proof.isCallback)
        return try await session.link(proof, callback: callback)
    }

    /// Opens a page in the user's browser and waits for the redirect.
    private func waitForCallback(
        to url: URL, on listener: LoopbackListener, if isCallback: (URL) -> Bool
    ) async throws -> URL {
        let isOpened = opensBrowser && SystemOpener.open(url)
        Terminal.writeNotice(
            "\(isOpened ? "Opening your browser. If it does not open, go to" : "Open this URL in your browser"):"
        )
        Terminal.writeNotice(url.absoluteString)
        let page = "Return to the command line. You can close this window.\n"
        guard let callback = try await listener.waitForCallback(within: Self.patience * 60, page: page, if: isCallback)
        else {
            throw CommandFailure(
                "No response from the browser within \(Self.patience) minutes.",
                advice: ["Run the same command again."], status: .signInRejected)
        }
        return callback
    }
}
