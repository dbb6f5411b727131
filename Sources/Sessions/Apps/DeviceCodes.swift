import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/device-codes/{window}/{user code}`: a signed-in user's decision about the device that shows the code.
package struct DeviceCodeDocument: VersionedDocument {
    package enum Decision: Codable, Sendable, Equatable {
        case denied
        /// The approving session. The new session is opened only while that session is valid.
        case allowed(user: UserID, device: DeviceID, session: SessionID)
    }

    package var version: Int
    /// Identifies this decision in its spent mark.
    package let id: UUID
    /// The app and platform shown on the page. A device with another subject is not approved.
    package let subject: DeviceCodeSubject
    package let decision: Decision
}

/// The codes for a waiting device (RFC 8628 section 3.2).
package struct IssuedDeviceCode: Sendable {
    package let deviceCode: String
    package let userCode: String
}

/// The content of a device code that is authentic and has not expired.
package struct PendingDeviceCode: Codable, Sendable {
    package let id: UUID
    package let subject: DeviceCodeSubject
    package let device: DeviceDescription
    package let expiresAt: Date
    let userCode: String

    /// When every device code that could refer to the same decision has expired.
    package var decisionEndsAt: Date { UserCodes.end(of: UserCodes.window(of: expiresAt)) }
}

/// Codes for devices that wait for approval (RFC 8628). Requesting codes writes nothing: the device code is the sealed
/// request itself, and the user code authenticates the app and platform that the page shows. The first write is the
/// decision of a signed-in user, under the user code.
package struct DeviceCodes: Sendable {
    /// How long a code is valid, in seconds.
    package static let lifetime: TimeInterval = 600
    /// The largest device code that is opened, in bytes.
    private static let maximumLength = 4096

    private let documents: Documents<DeviceCodeDocument>
    private let userCodes: UserCodes
    private let now: @Sendable () -> Date

    package init(
        store: any ObjectStore, retry: RetryPolicy, keyRing: KeyRing, now: @escaping @Sendable () -> Date,
        randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        userCodes = UserCodes(keyRing: keyRing, randomness: randomness)
        self.now = now
    }

    /// Creates the codes for a device. No request.
    /// - Parameter subjects: all possible subjects of codes.
    package func issue(
        to device: DeviceDescription, for subject: DeviceCodeSubject, among subjects: [DeviceCodeSubject]
    ) throws(SessionError) -> IssuedDeviceCode {
        let expiresAt = now().addingTimeInterval(Self.lifetime)
        let userCode = try userCodes.make(for: subject, among: subjects, endingAt: expiresAt).text
        let pending = PendingDeviceCode(
            id: userCodes.randomness.uuid(), subject: subject, device: device, expiresAt: expiresAt, userCode: userCode)
        guard let bytes = try? JSONEncoder().encode(pending) else { throw .corrupted("device code") }
        do {
            let deviceCode = try userCodes.keyRing.seal(
                bytes, for: .deviceCode, context: "", randomness: userCodes.randomness)
            return IssuedDeviceCode(deviceCode: deviceCode, userCode: userCode)
        } catch { throw .secrets(error) }
    }

    /// Reads a typed user code. One read if it is authentic.
    /// - Returns: `nil` for a code that is not authentic, has expired, or was already decided.
    package func pendingCode(
        _ typed: String, among subjects: [DeviceCodeSubject]
    ) async throws(SessionError) -> UserCode? {
        guard let text = UserCodes.letters(in: typed) else { return nil }
        let time = now()
        let windows = UserCodes.window(of: time)...UserCodes.window(of: time.addingTimeInterval(Self.lifetime))
        guard let code = try userCodes.decode(text, among: subjects, windows: windows).first else { return nil }
        return try await document(code.window, code.text) == nil ? code : nil
    }

    /// Stores the person's decision. One write; one read more where another decision was stored first.
    /// - Returns: whether it was stored; `false` where another decision was stored first.
    package func decide(_ decision: DeviceCodeDocument.Decision, on code: UserCode) async throws(SessionError) -> Bool {
        let document = DeviceCodeDocument(
            version: 1, id: userCodes.randomness.uuid(), subject: code.subject, decision: decision)
        do {
            _ = try await documents.create(Self.key(code.window, code.text), document)
            return true
        } catch .preconditionFailed {
            return false
        } catch { throw .store(error) }
    }

    /// Opens a device code. No request.
    /// - Throws: `invalidToken` if it is not authentic or has expired.
    package func open(_ deviceCode: String) throws(SessionError) -> PendingDeviceCode {
        guard deviceCode.utf8.count <= Self.maximumLength,
            let bytes = try? userCodes.keyRing.open(deviceCode, for: .deviceCode, context: ""),
            let pending = try? JSONDecoder().decode(PendingDeviceCode.self, from: bytes)
        else { throw .invalidToken("device code") }
        guard pending.expiresAt > now() else { throw .invalidToken("device code expired") }
        return pending
    }

    /// Returns the decision about a waiting device; `nil` until there is one. One read.
    /// - Throws: `invalidToken` if the page showed an app or platform other than the device's.
    package func decision(on pending: PendingDeviceCode) async throws(SessionError) -> DeviceCodeDocument? {
        let window = UserCodes.window(of: pending.expiresAt)
        guard let found = try await document(window, pending.userCode) else { return nil }
        guard found.subject == pending.subject else { throw .invalidToken("approval of another app or platform") }
        return found
    }

    /// Removes expired decisions; returns their number.
    package func removeExpired() async throws(ObjectStoreError) -> Int {
        let current = UserCodes.window(of: now())
        var removed = 0
        while true {
            let page = try await documents.store.list(prefix: StorageLayout.deviceCodes, after: nil, limit: 500)
            for object in page.objects {
                let parts = object.key.description.split(separator: "/")
                guard parts.count == 4, let window = Int64(parts[2]), window < current - 1 else { return removed }
                try await documents.writes.delete(object.key, if: .always)
                removed += 1
            }
            guard page.isTruncated else { return removed }
        }
    }

    private func document(_ window: Int64, _ code: String) async throws(SessionError) -> DeviceCodeDocument? {
        try await SessionError.mapStoreErrors { () throws(ObjectStoreError) in
            try await documents.load(Self.key(window, code))?.value
        }
    }

    private static func key(_ window: Int64, _ code: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.deviceCode(window: window, code: code))
    }
}
