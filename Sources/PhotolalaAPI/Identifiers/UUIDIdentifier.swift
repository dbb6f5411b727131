import Foundation
import JSONCoding

/// An identifier that is a UUID and is always written in lower case (RFC 9562 section 4).
///
/// Each kind of identifier is a separate type, so that a device ID cannot be passed as a user ID.
public protocol UUIDIdentifier: Hashable, Sendable, Codable, LosslessStringConvertible, Comparable {
    /// The identifier's 16 bytes.
    var uuid: UUID { get }

    /// Creates an identifier from 16 bytes.
    init(uuid: UUID)
}

extension UUIDIdentifier {
    /// Parses the 36-character form. Accepts upper-case digits, which `description` returns in lower case.
    ///
    /// Returns `nil` for any other form (braces, missing dashes, other lengths).
    public init?(_ description: String) {
        guard let uuid = UUIDText.decode(description) else { return nil }
        self.init(uuid: uuid)
    }

    /// The 36-character lower-case form.
    public var description: String { UUIDText.encode(uuid) }

    /// Orders identifiers by their 16 bytes.
    public static func < (left: Self, right: Self) -> Bool {
        withUnsafeBytes(of: left.uuid.uuid) { left in
            withUnsafeBytes(of: right.uuid.uuid) { left.lexicographicallyPrecedes($0) }
        }
    }

    /// Decodes the 36-character form.
    /// - Throws: `DecodingError.dataCorrupted` for any other value.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a UUID"))
        }
        self = value
    }

    /// Encodes the 36-character lower-case form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The internal ID of one Photolala account, to which all provider identities of a user map.
public struct UserID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Creates an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// The ID of one installation of an app or tool, which the device chooses once and stores.
public struct DeviceID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Creates an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// The ID of one link between a provider identity and an account. Linking the identity again creates a new ID.
public struct LinkID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Creates an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// The ID of one session: one sign-in on one device, with all its refreshes.
public struct SessionID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Creates an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// The ID of one export of an account.
public struct ExportID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Creates an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}
