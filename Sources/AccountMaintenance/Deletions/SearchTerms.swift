import Foundation
import PhotolalaAPI

/// The identifiers of an account in the forms in which they may be stored. A search reads each byte once, whatever the
/// number of identifiers.
package struct SearchTerms: Sendable {
    /// What a term identifies.
    package enum Kind: String, Sendable, CaseIterable {
        case account = "account ID"
        case link = "link ID"
        case device = "device ID"
        case bindingKey = "binding key"
        case hint = "e-mail hint"
        case subject = "provider ID"
        case email = "e-mail address"
        case text
    }

    /// The shortest term, in bytes: shorter ones would occur by chance.
    package static let minimumLength = 4

    private struct Term {
        let bytes: Data
        let kind: Kind
    }

    /// By the first four bytes.
    private var terms: [UInt32: [Term]] = [:]
    /// Whether a term may begin with four bytes of this hash.
    private var begins = [Bool](repeating: false, count: 1 << 16)
    /// The length of the longest term, in bytes: a file that is read in pieces must be searched across them.
    package private(set) var longest = 0

    /// - Parameters:
    ///   - identifiers: those of the account. IDs are searched as text in both cases, without hyphens, and as 16 bytes.
    ///   - texts: other texts, as given and in lower case. All terms are also searched in Base64.
    package init(_ identifiers: AccountIdentifiers, texts: [String] = []) {
        add(identifiers.user.uuid, .account)
        for link in identifiers.links { add(link.uuid, .link) }
        for device in identifiers.devices { add(device.uuid, .device) }
        for key in identifiers.bindingKeys { add(key, .bindingKey) }
        for hint in identifiers.hints { add(hint, .hint) }
        for subject in identifiers.subjects { add(subject, .subject) }
        for email in identifiers.emails { add(email, .email) }
        for text in texts { add(text, .text) }
    }

    private mutating func add(_ id: UUID, _ kind: Kind) {
        let text = id.uuidString
        let compact = text.replacing("-", with: "")
        for text in [text, text.lowercased(), compact, compact.lowercased()] { add(Data(text.utf8), kind) }
        add(withUnsafeBytes(of: id.uuid) { Data($0) }, kind)
    }

    private mutating func add(_ text: String, _ kind: Kind) {
        for text in Set([text, text.lowercased()]) { add(Data(text.utf8), kind) }
    }

    private mutating func add(_ term: Data, _ kind: Kind) {
        guard term.count >= Self.minimumLength else { return }
        for form in [term] + Self.base64Forms(term) {
            let first = form.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            terms[first, default: []].append(Term(bytes: form, kind: kind))
            begins[Self.hash(first)] = true
            longest = max(longest, form.count)
        }
    }

    /// Returns a term as it looks inside Base64, in which it begins at one of three positions of a group: snapshots contain
    /// objects so.
    private static func base64Forms(_ term: Data) -> [Data] {
        (0..<3).compactMap { offset in
            let text = (Data(count: offset) + term).base64EncodedString().prefix { $0 != "=" }
            // The first characters depend on what precedes the term, the last one on what follows.
            let isCut = (offset + term.count) % 3 != 0
            let form = text.dropFirst([0, 2, 3][offset]).dropLast(isCut ? 1 : 0)
            return form.count < 6 ? nil : Data(form.utf8)
        }
    }

    private static func hash(_ bytes: UInt32) -> Int { Int((bytes &* 0x9e37_79b1) >> 16) }

    /// Returns the kinds of the terms that occur, each once.
    package func kinds(in data: Data) -> [Kind] {
        var found: Set<Kind> = []
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            guard bytes.count >= Self.minimumLength else { return }
            var window = bytes.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            for start in 0...(bytes.count - 4) {
                window = window << 8 | UInt32(bytes[start + 3])
                guard begins[Self.hash(window)], let candidates = terms[window] else { continue }
                let rest = bytes[start...]
                for term in candidates where !found.contains(term.kind) && rest.starts(with: term.bytes) {
                    found.insert(term.kind)
                }
            }
        }
        return Kind.allCases.filter(found.contains)
    }
}
