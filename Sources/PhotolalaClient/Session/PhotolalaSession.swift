import Foundation
import PhotoCatalog
import PhotolalaAPI
import Secrets
import Transport

/// One device's session with one Photolala server: signs in and out, stores the tokens and renews them before they
/// expire.
///
/// ```swift
/// let profile = try ProfileDirectory(URL(fileURLWithPath: "/Users/bob/.my-app"))
/// let network = PhotolalaNetwork()
/// let session = PhotolalaSession(
///     server: try ServerAddress("https://photos.example.org"), profile: profile,
///     storage: try profile.fileSecretStorage(), network: network)
///
/// if try await session.signedInUserID() == nil {
///     let challenge = try await session.challenge(for: .signin).challenge
///     // Pass the challenge as `nonce` to Sign in with Apple, which returns the ID token.
///     let proof = ProviderCredential(provider: .apple, idToken: idToken, challenge: challenge)
///     do throws(PhotolalaError) {
///         try await session.signIn(proof)
///     } catch {
///         guard error.code == .noAccountFound, let pending = error.pendingIdentity else { throw error }
///         try await session.signUp(.pending(pending))
///     }
/// }
/// print("Signed in as \(try await session.user().serviceUserID)")
/// await network.close()
/// ```
///
/// The session is stored in the profile and shared by all processes that use it; each process sees sign-ins and
/// sign-outs by the others. One process at a time renews the tokens and stores them before use. A call is made for the
/// account that was signed in when it began; if that changes before the request is sent, it throws `notSignedIn`. In
/// addition to its documented errors, every call may throw `notSignedIn`, `sessionEnded`, `serverUnreachable`, `noResponse`,
/// `outcomeUnknown` and `localStorageFailed`.
public actor PhotolalaSession {
    package nonisolated let connection: ServiceConnection
    let vault: SessionVault
    let now: @Sendable () -> Date
    let profile: ProfileDirectory
    private let deviceName: String?
    private let bindsSessions: Bool
    let randomness: Randomness
    /// The only account for which this session makes calls; `nil` for the one that is signed in.
    nonisolated let account: UserID?

    /// The renewal in progress, which all callers that need new tokens of that session await.
    var renewal: (of: StoredSession, task: Task<Result<StoredSession, PhotolalaError>, Never>)?

    /// - Parameters:
    ///   - deviceName: The device's name; by default, the stored name or the machine's.
    ///   - bindsSessions: Binds the tokens of new sessions to a key of this device.
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
        account = nil
    }

    private init(_ base: PhotolalaSession, limitedTo account: UserID) {
        (connection, vault, now, profile) = (base.connection, base.vault, base.now, base.profile)
        (deviceName, bindsSessions, randomness) = (base.deviceName, base.bindsSessions, base.randomness)
        self.account = account
    }

    /// Returns the same session for the calls of one account, for example those of a screen that shows it or of a long
    /// operation. While another account is signed in, every call throws `notSignedIn`, and nothing is sent or removed. A
    /// sign-in to another account is ended at once and throws `anotherAccount`.
    public nonisolated func limited(to account: UserID) -> PhotolalaSession {
        PhotolalaSession(self, limitedTo: account)
    }

    /// The server of this session.
    public nonisolated var server: ServerAddress { connection.server }

    /// Returns this device.
    /// - Throws: `localStorageFailed`.
    public func device() throws(PhotolalaError) -> DeviceDescription { try storedDevice().description }

    func storedDevice() throws(PhotolalaError) -> StoredDevice {
        try profile.device(
            name: deviceName, session: try vault.load()?.session.deviceID, storage: vault.storage)
    }

    /// Returns the device description for a sign-in.
    /// - Parameter key: The key that the session will be bound to.
    func signInDevice(with key: DeviceKey? = nil) throws(PhotolalaError) -> DeviceDescription {
        let device = try storedDevice().signInDescription
        guard let key, key.isInHardware else { return device }
        return DeviceDescription(
            id: device.id, name: device.name, model: device.model, platform: device.platform, hardwareKey: true)
    }

    /// Returns the tag of this installation's changes in the catalog and in preferences.
    func catalogTag() throws(PhotolalaError) -> DeviceTag { try storedDevice().catalogTag }

    /// Returns the account that is signed in on this device, or `nil`. Makes no network request.
    /// - Throws: `localStorageFailed`, `anotherServer`.
    public func signedInUserID() throws(PhotolalaError) -> UserID? { try stored()?.user }

    /// Returns when the session of this device ends if it is not used until then; `nil` if it is signed out.
    package func sessionEnd() throws(PhotolalaError) -> Date? { try stored()?.session.refreshTokenExpiresAt }

    /// Removes what prevents a sign-in with this session, from its ``SecretStorage``: what
    /// ``ProfileDirectory/forgetUnusable(in:)`` removes, and a session of another server, which is not ended there. For an
    /// action of the person, such as “Start over”, after `localStateUnusable` or `anotherServer`. A usable session stays.
    /// - Returns: Why each removed item was unusable.
    /// - Throws: `localStorageFailed`.
    @discardableResult
    public func forgetUnusable() throws(PhotolalaError) -> [SecretStorageError] {
        let reasons = try profile.forgetUnusable(in: vault.storage)
        let foreign = try vault.removeSession(unlessAt: server.description)
        return reasons + (foreign.map { [Self.foreign($0.server)] } ?? [])
    }

    private static func foreign(_ server: String) -> SecretStorageError {
        SecretStorageError(
            detail: "The session belonged to \(server).", isUnusable: true,
            cause: FailureCause(.sessionOfAnotherServer, ["server": server]))
    }

    /// Returns the server at which a profile is signed in, or `nil`.
    /// - Throws: `localStorageFailed`.
    public static func server(
        of profile: ProfileDirectory, storage: any SecretStorage
    ) throws(PhotolalaError) -> String? {
        try SessionVault(storage: storage, lock: profile.sessionLock).load()?.server
    }

    /// Returns the stored session. Throws if it belongs to another server, because its tokens must never be sent to
    /// this one.
    func stored() throws(PhotolalaError) -> StoredSession? {
        guard let stored = try vault.load() else { return nil }
        guard stored.server == server.description else { throw anotherServer(stored) }
        guard account == nil || stored.user == account else { throw .notSignedIn }
        return stored
    }

    /// Returns the signer of DPoP proofs for a key; `nil` without one.
    func signer(_ key: DeviceKey?) -> DPoPSigner? {
        key.map { DPoPSigner(key: $0, randomness: randomness, now: now) }
    }

    /// Creates the key that the next session will be bound to.
    func newKey() -> DeviceKey? { bindsSessions ? DeviceKey() : nil }

    func anotherServer(_ stored: StoredSession) -> PhotolalaError {
        PhotolalaError(
            code: .anotherServer, detail: "This device is signed in to \(stored.server), not to \(server)."
        )
    }
}
