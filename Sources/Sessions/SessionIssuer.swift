import Foundation
import JWS
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A session that was just opened.
package struct OpenedSession: Sendable {
    package let session: Session
    /// Whether the account did not have the device before, and its record states that.
    package let isOnNewDevice: Bool
}

/// The app for which a session is opened.
package struct AppGrant: Sendable {
    /// The session id: that of the authorization, so that a replayed code identifies the session that it opened.
    package let session: SessionID
    /// The app's `client_id`.
    package let client: String

    package init(session: SessionID, client: String) {
        self.session = session
        self.client = client
    }
}

/// Opens, renews and ends sessions. A class, because dozens of services hold it: a copy would be 460 bytes.
package final class SessionIssuer: Sendable {
    /// How long a session lasts after its sign-in, in seconds; refreshing does not extend it, unless it slides.
    package static let lifetime: TimeInterval = 30 * 86_400
    /// How long a used refresh token still returns the response that may have been lost, in seconds.
    package static let gracePeriod: TimeInterval = 30

    package let devices: DeviceDirectory
    package let tokens: AccessTokens
    package let dpopVerifier: DPoPVerifier
    package let randomness: Randomness
    let keyRing: KeyRing
    /// How long a session with a hardware key lasts after its last use, in seconds; `nil` for `lifetime` after its
    /// sign-in.
    let slidingLifetime: TimeInterval?
    let now: @Sendable () -> Date

    package init(
        devices: DeviceDirectory, tokens: AccessTokens, dpopVerifier: DPoPVerifier, keyRing: KeyRing,
        slidingLifetime: TimeInterval?, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        self.devices = devices
        self.tokens = tokens
        self.dpopVerifier = dpopVerifier
        self.keyRing = keyRing
        self.slidingLifetime = slidingLifetime
        self.now = now
        self.randomness = randomness
    }

    /// Opens a session on a device, ending the previous one there. One write, preceded by one read if the device may be
    /// known.
    /// - Parameters:
    ///   - key: the key to which the session's tokens are bound; `nil` for bearer tokens.
    ///   - provedAt: when the provider authenticated the user for this session; `SessionRecord.neverAuthenticated` if
    ///     none did.
    ///   - isNewAccount: whether this call created the account. The device is then unknown, and the account's first
    ///     audit entry covers this sign-in.
    ///   - grant: the app for which the session is opened; `nil` if a provider authenticated the user.
    ///   - isProtected: whether a valid session on the device must not be replaced.
    /// - Throws: `accountDisabled`, `sessionProtected`, `tooManyPendingEvents`.
    package func open(
        on description: DeviceDescription, user: UserID, link: LinkID, of provider: ProviderName,
        _ state: SessionState, key: KeyThumbprint?, provedAt: Date, isNewAccount: Bool, grant: AppGrant? = nil,
        unless isProtected: (SessionRecord) -> Bool
    ) async throws(SessionError) -> OpenedSession {
        RequestAccount.current?.set(user)
        guard !state.isDisabled else { throw .accountDisabled }
        let time = now()
        let signingKey = try tokens.keys.signingKey()
        // The session of an approved app never slides: another person may hold it.
        let sliding = key != nil && grant == nil && description.hardwareKey == true ? slidingLifetime : nil
        let session = SessionRecord(
            id: grant?.session ?? SessionID(uuid: randomness.uuid()), link: link, epoch: state.epoch,
            startedAt: max(time, state.earliestStart(link)),
            expiresAt: time.addingTimeInterval(sliding ?? Self.lifetime), slides: sliding.map { _ in true },
            client: grant?.client, key: key, counter: 0, rotatedAt: time,
            authTime: min(time, provedAt), identityProvedAt: grant == nil ? min(time, provedAt) : nil
        )
        let country = RequestOrigin.country
        let fresh = DeviceRecord(description, incarnation: randomness.uuid(), country: country, at: time)
        let eventID = randomness.uuid()
        let known = isNewAccount ? nil : try await devices.device(description.id, of: user)
        let opened = try await devices.change(description.id, of: user, from: known) {
            (found) throws(SessionError) -> DeviceRecord? in
            try requireUnprotected(found, state, unless: isProtected)
            var record = found?.signedIn(as: description, from: country, at: time) ?? fresh
            record.session = session
            guard !isNewAccount else { return record }
            try record.requireCapacity(state.logged(record.id))
            let isKnown = found.map { $0.removedAt == nil } ?? false
            record.appendEvent(
                .signedIn, at: time, id: eventID, provider: provider, link: link, isNewDevice: isKnown ? nil : true,
                country: country)
            return record
        }
        return OpenedSession(
            session: try makeSession(session, user: user, device: description.id, at: time, signingKey),
            isOnNewDevice: opened?.value.acts.contains { $0.id == eventID && $0.isNewDevice == true } ?? false
        )
    }

    /// Checks that tokens can be signed, before anything is written for a session. No request.
    package func checkCanSign() throws(SessionError) { _ = try tokens.keys.signingKey() }

    /// Returns the session on a device if it is valid.
    /// - Throws: `ended`.
    package func validSession(
        _ id: SessionID, on record: DeviceRecord?, _ state: SessionState
    ) throws(SessionError) -> SessionRecord {
        guard let session = record?.session, session.id == id, isValid(session, state) else { throw .ended }
        return session
    }

    /// Returns whether a session is valid.
    package func isValid(_ session: SessionRecord, _ state: SessionState) -> Bool {
        session.epoch == state.epoch && isCurrent(session, state)
    }

    private func isCurrent(_ session: SessionRecord, _ state: SessionState) -> Bool {
        session.expiresAt > now() && state.permits(session.id, session.link, session.startedAt)
    }

    /// Refuses to end the session on a device if it is valid and protected. One of a later epoch was opened after the
    /// account was read.
    /// - Throws: `sessionProtected`.
    func requireUnprotected(
        _ record: DeviceRecord?, _ state: SessionState, unless isProtected: (SessionRecord) -> Bool
    ) throws(SessionError) {
        guard let session = record?.session, session.epoch >= state.epoch, isCurrent(session, state),
            isProtected(session)
        else { return }
        throw .sessionProtected
    }

    /// Records a fresh proof of an identity and gives a new access token with the unused refresh token: proving is no use
    /// of that one, so a lost answer costs nothing.
    /// - Parameters:
    ///   - link: the link of the authenticated identity, which belongs to the provider.
    ///   - isYounger: whether the identity was linked after the session's own.
    ///   - expiry: when the presented access token expires; a bearer token gets none that lasts longer. `nil` in a browser,
    ///     which presents its session.
    /// - Throws: `ended`, `tooManyPendingEvents`.
    package func recordReauthentication(
        of provedAt: Date, link: LinkID, isYounger: Bool, of provider: ProviderName, by user: UserID,
        on device: DeviceID, session id: SessionID, presentedUntil expiry: Date?, _ state: SessionState
    ) async throws(SessionError) -> Session {
        let time = now()
        let signingKey = try tokens.keys.signingKey()
        let eventID = randomness.uuid()
        let current = try await devices.device(device, of: user)
        let changed = try await devices.change(device, of: user, from: current) {
            (record) throws(SessionError) in
            var session = try self.validSession(id, on: record, state)
            guard var record else { throw .ended }
            let provedAt = min(time, provedAt)
            // An older proof must not change the rank that a newer one gives the session.
            if provedAt >= session.authTime { session.authenticatedLink = isYounger ? link : nil }
            session.authTime = max(session.authTime, provedAt)
            if !isYounger { session.identityProvedAt = max(session.identityProvedAt ?? .distantPast, provedAt) }
            if let slidingLifetime, session.slides == true {
                session.expiresAt = time.addingTimeInterval(slidingLifetime)
            }
            record.session = session
            record.lastSeenAt = time
            try record.requireCapacity(state.logged(device))
            record.appendEvent(.reauthenticated, at: time, id: eventID, provider: provider, link: link)
            return record
        }
        guard let session = changed?.value.session else { throw .ended }
        return try makeSession(
            session, user: user, device: device, at: time, until: session.key == nil ? expiry : nil, signingKey)
    }

    /// Ends the session on a device; another session that was opened there concurrently stays.
    package func end(_ id: SessionID, on device: Stored<DeviceRecord>, of user: UserID) async throws(SessionError) {
        let (time, eventID) = (now(), randomness.uuid())
        _ = try await devices.change(device.value.id, of: user, from: device) { record in
            guard var record, record.session?.id == id else { return nil }
            record.session = nil
            record.appendEvent(.signedOut, at: time, id: eventID)
            return record
        }
    }

    /// Records a finished sync.
    package func recordSync(_ device: Stored<DeviceRecord>, of user: UserID) async throws(SessionError) {
        let time = now()
        _ = try await devices.change(device.value.id, of: user, from: device) { record in
            var synced = record
            synced?.lastSyncAt = time
            return synced
        }
    }

    /// - Parameter latest: when the access token expires at the latest.
    func makeSession(
        _ session: SessionRecord, user: UserID, device: DeviceID, at time: Date, until latest: Date? = nil,
        _ signingKey: SigningKey
    ) throws(SessionError) -> Session {
        let access = try tokens.sign(session, user: user, device: device, at: time, until: latest, with: signingKey)
        let refresh = RefreshToken(
            user: user, device: device, session: session.id,
            kind: session.key.map { .bound($0) } ?? .counted(session.counter)
        )
        do {
            return Session(
                tokenType: session.key == nil ? .bearer : .dpop, accessToken: access.token,
                accessTokenExpiresAt: access.expiresAt,
                refreshToken: try refresh.encoded(keyRing), refreshTokenExpiresAt: session.expiresAt, deviceID: device
            )
        } catch {
            throw .secrets(error)
        }
    }
}
