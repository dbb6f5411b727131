import Foundation

/// An identifier that is a UUID and is always spelled in lower case, as RFC 9562 section 4 asks of writers.
///
/// Each kind of identifier is a type of its own, so that a device can never be passed where a user is meant.
public protocol UUIDIdentifier: Hashable, Sendable, Codable, LosslessStringConvertible, Comparable {
    /// The identifier's 16 bytes.
    var uuid: UUID { get }

    /// Makes an identifier from 16 bytes.
    init(uuid: UUID)
}

extension UUIDIdentifier {
    /// Parses the 36-character form; upper-case digits are accepted and written back in lower case.
    ///
    /// Anything else (braces, missing dashes, other lengths) gives `nil`.
    public init?(_ description: String) {
        // Foundation takes dashes elsewhere too.
        guard description.utf8.count == 36, let uuid = UUID(uuidString: description),
            uuid.uuidString.utf8.elementsEqual(description.uppercased().utf8)
        else { return nil }
        self.init(uuid: uuid)
    }

    /// The 36-character lower-case form.
    public var description: String { uuid.uuidString.lowercased() }

    /// Orders identifiers by their 16 bytes.
    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    /// Decodes the 36-character form and throws `DecodingError.dataCorrupted` for anything else.
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

/// One Photolala account: the internal id that every provider identity of a person maps to.
public struct UserID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Makes an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// One installation of an app or tool. The device chooses it once and keeps it.
public struct DeviceID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Makes an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// One act of linking a provider identity to an account. Linking again makes a new one.
public struct LinkID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Makes an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}

/// One session: everything that follows from one sign-in on one device, refresh by refresh.
public struct SessionID: UUIDIdentifier {
    /// The identifier's 16 bytes.
    public let uuid: UUID
    /// Makes an identifier from 16 bytes.
    public init(uuid: UUID) { self.uuid = uuid }
}
