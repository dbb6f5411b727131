import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Secrets

/// A provider identity from the key of a legacy binding: `identities/{folder}/{subject}` or
/// `identities/{folder}:{subject}`, with the subject as the provider gave it.
struct LegacyIdentity: Equatable, Sendable {
    let provider: ProviderName
    let subject: String

    enum Resolution: Equatable {
        case identity(LegacyIdentity)
        case unresolved(ImportFinding.Kind)
    }

    static func resolution(of key: ObjectKey) -> Resolution {
        let path = key.description.utf8.dropFirst(StorageLayout.identities.utf8.count)
        guard let divider = path.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }) else {
            return .unresolved(.keyUnknown)
        }
        let (folder, subject) = (String(path[..<divider]) ?? "", String(path[path.index(after: divider)...]) ?? "")
        guard folder != "email" else { return .unresolved(.hintHashed) }
        guard let provider = ProviderName(StorageLayout.legacyProviders[folder] ?? folder),
            (1...255).contains(subject.utf8.count)
        else { return .unresolved(.keyUnknown) }
        guard !isHash(subject, provider) else { return .unresolved(.subjectHashed) }
        return .identity(LegacyIdentity(provider: provider, subject: subject))
    }

    /// Every key under which legacy layouts bound this identity.
    var keys: [ObjectKey] {
        let older = StorageLayout.legacyProviders.filter { $0.value == provider.description }.keys.sorted()
        return ([provider.description] + older).flatMap { folder in
            ["/", ":"].compactMap { ObjectKey("\(StorageLayout.identities)\(folder)\($0)\(subject)") }
        }
    }

    /// Returns whether a subject is the SHA-256 of a salted id. Ids of these three providers never look like one.
    private static func isHash(_ subject: String, _ provider: ProviderName) -> Bool {
        StorageLayout.legacyProviders.values.contains(provider.description)
            && Hex.isLowercase(subject.lowercased(), count: 64)
    }
}

/// The content of a binding object.
enum LegacyBinding: Equatable {
    /// A legacy binding: only an account id, as text or as a member of a JSON object.
    case account(UserID)
    /// A binding of this layout.
    case current(IdentityBinding)
    case unreadable

    /// The largest binding that is read, in bytes.
    static let maximumSize = 4096

    init(_ bytes: ByteBuffer) {
        if let binding = IdentityBinding(bytes) {
            self = .current(binding)
        } else if let id = Self.accountID(bytes), let user = UserID(id) {
            self = .account(user)
        } else {
            self = .unreadable
        }
    }

    private static func accountID(_ bytes: ByteBuffer) -> String? {
        struct Members: Decodable { let serviceUserID: String }
        if let members = try? JSONDecoder().decode(Members.self, from: Data(bytes.readableBytesView)) {
            return members.serviceUserID
        }
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else { return nil }
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        let values = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
        return values.count == 1 ? values[0] : nil
    }
}
