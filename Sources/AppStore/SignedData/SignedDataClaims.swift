import Foundation
import JSONCoding
import Subscriptions

/// The type-checked members of verified signed data. A missing or `null` member reads as `nil`; a member of the wrong
/// type throws `malformed`.
struct SignedDataClaims {
    let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// Returns a text of at most 255 bytes.
    func text(_ name: String) throws(SignedDataError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string, text.utf8.count <= 255 else { throw .malformed(name) }
        return text
    }

    func required(_ name: String) throws(SignedDataError) -> String {
        guard let text = try text(name), !text.isEmpty else { throw .malformed(name) }
        return text
    }

    /// Returns nested signed data.
    func signedData(_ name: String) throws(SignedDataError) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw .malformed(name) }
        return text
    }

    func object(_ name: String) throws(SignedDataError) -> SignedDataClaims? {
        guard let value = value(name) else { return nil }
        guard let object = value.object else { throw .malformed(name) }
        return SignedDataClaims(object)
    }

    func flag(_ name: String) throws(SignedDataError) -> Bool {
        guard let value = value(name) else { return false }
        guard case .bool(let flag) = value else { throw .malformed(name) }
        return flag
    }

    /// Returns an integer that a double represents exactly.
    func number(_ name: String) throws(SignedDataError) -> Int64? {
        guard let value = value(name) else { return nil }
        guard case .number(let number) = value, let integer = Int64(exactly: number), number.magnitude <= 0x1p53 else {
            throw .malformed(name)
        }
        return integer
    }

    /// Returns a time in milliseconds since 1970, within `AppStoreTime.sane`.
    func time(_ name: String) throws(SignedDataError) -> AppStoreTime? {
        guard let value = value(name) else { return nil }
        guard case .number(let milliseconds) = value, let time = AppStoreTime(milliseconds: milliseconds) else {
            throw .malformed(name)
        }
        return time
    }

    func requiredTime(_ name: String) throws(SignedDataError) -> AppStoreTime {
        guard let time = try time(name) else { throw .malformed(name) }
        return time
    }

    func environment() throws(SignedDataError) -> AppStoreEnvironment {
        let name = try required("environment")
        guard let environment = AppStoreEnvironment(rawValue: name) else { throw .otherEnvironment(name) }
        return environment
    }

    func subscription(in environment: AppStoreEnvironment) throws(SignedDataError) -> SubscriptionID {
        guard let id = SubscriptionID(environment, try required("originalTransactionId")) else {
            throw .malformed("originalTransactionId")
        }
        return id
    }

    private func value(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }
}
