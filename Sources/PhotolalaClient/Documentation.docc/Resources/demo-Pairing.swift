import Foundation
import Observation
import PhotolalaClient

/// The server with which the phone is paired.
@MainActor @Observable
final class Pairing {
    private(set) var account: Account?
    /// Why the last code could not be used.
    private(set) var failure: String?

    private static let name = "pairing"

    /// Uses the code of the last launch, which is valid until the server ends.
    init() {
        guard let code = try? Account.secrets.load(Self.name) else { return }
        pair(with: String(decoding: code, as: UTF8.self))
    }

    /// Pairs with the server of a code.
    /// - Parameter code: The text of the QR code that `photolala-server serve --environment dev --pair` prints.
    func pair(with code: String) {
        do {
            account = try Account(PairedServer(code))
            // The code has a secret, so it is kept in the Keychain.
            try Account.secrets.save(Data(code.utf8), as: Self.name)
            failure = nil
        } catch {
            failure = error.localizedDescription
        }
    }

    /// Forgets the server, whose code changes at each start.
    func unpair() {
        guard let former = account else { return }
        (account, failure) = (nil, nil)
        try? Account.secrets.delete(Self.name)
        // This removes the session from the phone first, also if the server does not respond.
        Task { try? await former.session.signOut() }
    }

    /// Continues the backup when the system wakes the app.
    func backUpInBackground() async {
        WakeUp.schedule()
        await account?.backup.run()
    }
}
