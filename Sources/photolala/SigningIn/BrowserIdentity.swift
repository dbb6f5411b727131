import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Lets a person sign in at the server's own pages, in their own browser.
struct BrowserIdentity {
    /// Minutes.
    private static let patience = 10
    /// The command line's id at every server.
    static let client = "photolala"

    let session: PhotolalaSession
    let opensBrowser: Bool

    func signIn(createsAccount: Bool) async throws -> User {
        let listener = try LoopbackListener()
        let signIn = try await session.beginBrowserSignIn(
            client: Self.client, redirectURI: listener.redirectURI, createsAccount: createsAccount)
        let isOpened = opensBrowser && SystemBrowser.open(signIn.url)
        Terminal.note(
            "\(isOpened ? "Your browser opens. If it does not, open this address in it" : "Open this address in your browser"):"
        )
        Terminal.note(signIn.url.absoluteString)
        let page = "Go back to the command line. You can close this window.\n"
        guard
            let answer = try await listener.answer(
                within: Self.patience * 60, page: page, if: signIn.isAnswer)
        else {
            throw CommandFailure(
                "Nobody signed in within \(Self.patience) minutes.", advice: ["Try again:  photolala signin"],
                status: .proofRefused)
        }
        return try await session.finish(signIn, answer: answer)
    }
}
