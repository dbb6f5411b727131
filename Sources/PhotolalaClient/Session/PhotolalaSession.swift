import Foundation
import PhotoLibrary
import PhotolalaAPI
import Secrets
import Transport

/// One device's session with one Photolala server: signs in and out, keeps the tokens, renews them in time.
///
/// The session lives in the profile and is shared by all processes that use it; each of them sees the others' sign-ins
/// and sign-outs. Tokens are renewed by one process at a time and stored before they are used. Every call may throw
/// `notSignedIn`, `sessionEnded`, `serverUnreachable`, `noAnswer`, `outcomeUnknown`, `localStorageFailed` besides what it names.
public actor PhotolalaSession {
    package nonisolated let connection: ServiceConnection
    let vault: SessionVault
    let refreshLock: FileLock
    let now: @Sendable () -> Date
    let profile: ProfileDirectory
    private let deviceName: String?
    private let bindsSessions: Bool
    let randomness: Randomness

    /// The session as this process last saw it.
    var known: StoredSession?
    /// The renewal under way: whoever needs fresh tokens meanwhile waits for it.
    var renewal: Task<Result<StoredSession, PhotolalaError>, Never>?

    /// - Parameters:
    ///   - deviceName: what to call this device; the kept name or the machine's when left out.
    ///   - bindsSessions: binds the tokens of new sessions to a key of this device.
    package init(
        connection: ServiceConnection, profile: ProfileDirectory, storage: any SecretStorage,
        deviceName: String? = nil, bindsSessions: Bool = true, randomness: Randomness = .system,
        now: @escaping @Sendable () -> Date
    ) {
        self.connection = connection
        self.profile = profile
        self.deviceName = deviceName
        self.bindsSessions = bindsSessions
        self.randomness = randomness
        self.now = now
        vault = SessionVault(storage: storage, lock: profile.sessionLock)
        refreshLock = profile.refreshLock
    }

    /// The server.
    public nonisolated var server: ServerAddress { connection.server }

    /// This device.
    /// - Throws: `localStorageFailed`.
    public func device() throws(PhotolalaError) -> DeviceDescription { try keptDevice().description }

    func keptDevice() throws(PhotolalaError) -> KeptDevice {
        try profile.device(name: deviceName, session: try vault.load()?.session.deviceID)
    }

    /// This device as it signs in.
    func signingInDevice() throws(PhotolalaError) -> DeviceDescription { try keptDevice().signingIn }

    /// What marks this installation's changes in the catalog and in preferences.
    func catalogTag() throws(PhotolalaError) -> DeviceTag { try keptDevice().catalogTag }

    /// The account that is signed in on this device, `nil` when none is. Asks nobody.
    /// - Throws: `localStorageFailed`, `anotherServer`.
    public func signedInUser() throws(PhotolalaError) -> UserID? { try stored()?.user }

    /// The server that a profile is signed in at, `nil` when it is at none.
    /// - Throws: `localStorageFailed`.
    public static func server(
        of profile: ProfileDirectory, storage: any SecretStorage
    ) throws(PhotolalaError) -> String? {
        try SessionVault(storage: storage, lock: profile.sessionLock).load()?.server
    }

    /// The stored session, if it belongs to this server: its tokens must never be shown to another.
    func stored() throws(PhotolalaError) -> StoredSession? {
        guard let stored = try vault.load() else {
            known = nil
            return nil
        }
        guard stored.server == server.description else { throw anotherServer(stored) }
        known = stored
        return stored
    }

    /// What proves a key to the server; `nil` without one.
    func signer(_ key: DeviceKey?) -> ProofSigner? {
        key.map { ProofSigner(key: $0, randomness: randomness, now: now) }
    }

    /// The key that the next session is to be bound to.
    func newKey() -> DeviceKey? { bindsSessions ? DeviceKey() : nil }

    func anotherServer(_ stored: StoredSession) -> PhotolalaError {
        PhotolalaError(
            code: .anotherServer, detail: "This device is signed in at \(stored.server), not at \(server)."
        )
    }
}
