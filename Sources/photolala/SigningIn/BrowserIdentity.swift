import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Proves identities at the server's own pages, in the person's browser.
struct BrowserIdentity {
    /// Minutes.
    private static let patience = 10
    /// The command line's id at every server.
    static let client = "photolala"

    let session: PhotolalaSession
    let opensBrowser: Bool
    /// What the person chose on the command line.
    let provider: ProviderName?

    func signIn(createsAccount: Bool) async throws -> User {
        let listener = try LoopbackListener()
        let signIn = try await session.beginBrowserSignIn(
            client: Self.client, redirectURI: listener.redirectURI, provider: provider,
            createsAccount: createsAccount)
        let answer = try await answer(to: signIn.url, on: listener, if: signIn.isAnswer)
        return try await session.finish(signIn, answer: answer)
    }

    /// Links an identity. Where the session's last proof is too old, the person proves first who they are.
    func link() async throws -> [LinkedProvider] {
        do {
            return try await linkNow()
        } catch let error as PhotolalaError where error.code == .reauthenticationRequired {
            Terminal.note("First prove who you are, with a provider that opens your account already.")
            try await BrowserIdentity(session: session, opensBrowser: opensBrowser, provider: nil).reauthenticate()
            Terminal.note("Now sign in with the provider to link.")
            return try await linkNow()
        }
    }

    func reauthenticate() async throws {
        let listener = try LoopbackListener()
        let proof = try await session.beginBrowserReauthentication(
            client: Self.client, redirectURI: listener.redirectURI, provider: provider)
        let answer = try await answer(to: proof.url, on: listener, if: proof.isAnswer)
        try await session.reauthenticate(proof, answer: answer)
    }

    private func linkNow() async throws -> [LinkedProvider] {
        let listener = try LoopbackListener()
        let proof = try await session.beginBrowserLink(
            client: Self.client, redirectURI: listener.redirectURI, provider: provider)
        let answer = try await answer(to: proof.url, on: listener, if: proof.isAnswer)
        return try await session.link(proof, answer: answer)
    }

    /// Sends the person's browser to a page, and waits for what it brings back.
    private func answer(
        to url: URL, on listener: LoopbackListener, if isAnswer: (URL) -> Bool
    ) async throws -> URL {
        let isOpened = opensBrowser && SystemBrowser.open(url)
        Terminal.note(
            "\(isOpened ? "Your browser opens. If it does not, open this address in it" : "Open this address in your browser"):"
        )
        Terminal.note(url.absoluteString)
        let page = "Go back to the command line. You can close this window.\n"
        guard let answer = try await listener.answer(within: Self.patience * 60, page: page, if: isAnswer) else {
            throw CommandFailure(
                "No answer came from the browser within \(Self.patience) minutes.",
                advice: ["Run the same command again."], status: .proofRefused)
        }
        return answer
    }
}
