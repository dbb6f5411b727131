import Crypto
import Foundation
import ObjectStorage
import PhotolalaAPI
import Secrets

/// `service/device-codes/{window}/{user code}.json`: a device without a browser that waits to be let in (RFC 8628).
package struct DeviceCodeDocument: VersionedDocument {
    /// How the person decided.
    package enum Decision: Codable, Sendable, Equatable {
        case waiting
        case denied
        /// In whose session it was allowed; the new one is opened only while that stands.
        case allowed(user: UserID, device: DeviceID, session: SessionID)
    }

    package var version: Int
    package let client: String
    package let device: DeviceDescription
    /// Of what the device alone knows.
    package let secretHash: Data
    package var decision: Decision
    package let expiresAt: Date
}

/// A device that waits, as it is told (RFC 8628 section 3.2).
package struct IssuedDeviceCode: Sendable {
    package let deviceCode: String
    package let userCode: String
}

/// Devices that wait to be let in: one object each, under the code that their person types. The codes of ten minutes share a
/// prefix, so that a code is found in two reads at most and what is over is cleared without reading it.
package struct DeviceCodes: Sendable {
    /// How long one is good, in seconds.
    package static let lifetime: TimeInterval = 600
    /// How long a device waits before it asks again, in seconds.
    package static let interval = 5
    /// No vowels, so that no words come of it (RFC 8628 section 6.1).
    private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    private static let length = 8
    private static let window: TimeInterval = 600

    private let documents: Documents<DeviceCodeDocument>
    private let now: @Sendable () -> Date
    private let randomness: Randomness

    package init(
        store: any ObjectStore, retry: RetryPolicy, now: @escaping @Sendable () -> Date, randomness: Randomness
    ) {
        documents = Documents(store: store, retry: retry)
        self.now = now
        self.randomness = randomness
    }

    /// Lets a device wait. One write.
    package func issue(to device: DeviceDescription, client: String) async throws(SessionError) -> IssuedDeviceCode {
        let secret = Data(randomness.bytes(32))
        let expiresAt = now().addingTimeInterval(Self.lifetime)
        let document = DeviceCodeDocument(
            version: 1, client: client, device: device, secretHash: Self.hash(secret), decision: .waiting,
            expiresAt: expiresAt
        )
        let (userCode, window) = (code(), Self.number(expiresAt))
        try await SessionError.storing { () throws(ObjectStoreError) in
            _ = try await documents.create(Self.key(window, userCode), document)
        }
        return IssuedDeviceCode(deviceCode: "\(window).\(userCode).\(Base64URL.encode(secret))", userCode: userCode)
    }

    /// The device that waits with the code that somebody typed. Two reads at most.
    /// - Returns: `nil` for a code that is none, or not any more.
    package func waiting(_ typed: String) async throws(SessionError) -> Stored<DeviceCodeDocument>? {
        guard let code = Self.userCode(typed) else { return nil }
        let window = Self.number(now())
        for window in [window + 1, window] {
            if let found = try await load(Self.key(window, code)), found.value.decision == .waiting { return found }
        }
        return nil
    }

    /// Writes the person's decision down. One write.
    /// - Throws: `contended` where somebody decided meanwhile.
    package func decide(
        _ decision: DeviceCodeDocument.Decision, on found: Stored<DeviceCodeDocument>, typed: String
    ) async throws(SessionError) {
        guard let code = Self.userCode(typed) else { throw .invalidToken("user code") }
        var next = found.value
        next.decision = decision
        do {
            _ = try await documents.replace(Self.key(Self.number(found.value.expiresAt), code), found, with: next)
        } catch .preconditionFailed {
            throw .contended
        } catch { throw .store(error) }
    }

    /// What became of it, for the device. One read.
    /// - Throws: `invalidToken` for a code that is none, is over, or was used.
    package func decision(_ deviceCode: String) async throws(SessionError) -> Stored<DeviceCodeDocument> {
        let parts = deviceCode.split(separator: ".", omittingEmptySubsequences: false)
        guard deviceCode.utf8.count <= 200, parts.count == 3, let window = Int64(parts[0]), window >= 0,
            let code = Self.userCode(String(parts[1])), let secret = Base64URL.decode(parts[2])
        else { throw .invalidToken("device code") }
        guard let found = try await load(Self.key(window, code)),
            ConstantTime.isEqual(found.value.secretHash, Self.hash(secret))
        else { throw .invalidToken("device code") }
        return found
    }

    /// Removes what is over; answers how many.
    package func clearExpired() async throws(ObjectStoreError) -> Int {
        let current = Self.number(now())
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

    private func load(_ key: ObjectKey) async throws(SessionError) -> Stored<DeviceCodeDocument>? {
        let found = try await SessionError.storing { () throws(ObjectStoreError) in try await documents.load(key) }
        guard let found, found.value.expiresAt > now() else { return nil }
        return found
    }

    /// Eight letters; without a lean towards any of the twenty.
    private func code() -> String {
        var code = ""
        while code.count < Self.length {
            for byte in randomness.bytes(16) where byte < 240 && code.count < Self.length {
                code.append(Self.letters[Int(byte) % Self.letters.count])
            }
        }
        return code
    }

    /// What a person typed, as it was meant: any case, any signs between.
    private static func userCode(_ typed: String) -> String? {
        guard typed.utf8.count <= 40 else { return nil }
        let code = typed.uppercased().filter { $0.isASCII && $0.isLetter }
        return code.count == length && code.allSatisfy(letters.contains) ? code : nil
    }

    private static func hash(_ secret: Data) -> Data { Data(SHA256.hash(data: secret)) }

    /// Ten digits, so that a listing is in order.
    private static func number(_ date: Date) -> Int64 { Int64(max(0, date.timeIntervalSince1970 / window)) }

    private static func key(_ window: Int64, _ code: String) -> ObjectKey {
        ObjectKey(known: StorageLayout.deviceCode(window: window, code: code))
    }
}
