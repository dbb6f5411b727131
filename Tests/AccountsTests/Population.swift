import AccountMaintenance
import Accounts
import Foundation
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing
import UseCases

/// The objects of identical users: each has a Google identity with an address, a binding, a hint, a device and an audit
/// entry. Of every 1,000 users some are broken, one in each way.
struct Population: Sendable {
    /// A defect of an account; each causes one finding of repair.
    enum Fault: Int, CaseIterable {
        case claimMissing = 1
        case claimNotListed, claimWithoutAccount, claimUnreadable, linkUnfinished, unlinkUnfinished, abandoned
        case accountLost, accountUnreadable, entryMissing, entryChanged, hintMissing, hintStale

        init?(of index: Int) { self.init(rawValue: index % 1000) }

        var finding: RepairFinding.Kind {
            switch self {
            case .claimMissing: .claimMissing
            case .claimNotListed: .claimNotListed
            case .claimWithoutAccount: .claimWithoutAccount
            case .claimUnreadable: .claimUnreadable
            case .linkUnfinished: .linkUnfinished
            case .unlinkUnfinished: .unlinkUnfinished
            case .abandoned: .accountAbandoned
            case .accountLost: .accountLost
            case .accountUnreadable: .accountUnreadable
            case .entryMissing: .auditEntryMissing
            case .entryChanged: .auditEntryChanged
            case .hintMissing: .hintMissing
            case .hintStale: .hintStale
            }
        }
    }

    static let claims = StorageLayout.identities
    /// A placeholder for the user's number in the id, the subject and the hash of the address.
    private static let number = "777777777777"
    private static let unknownUserID = "00000000-0000-4000-8000-\(number)".replacing("4000", with: "4fff")
    private static let user = "00000000-0000-4000-8000-\(number)"
    private static let subject = "subject-\(number)"

    let writtenAt: Date
    private let sections: [Section]
    private let keyRing: KeyRing
    /// The hash of the only audit entry, which all users share.
    private let chainHash: String

    /// The objects below one prefix: the part of the key before the number, and the objects after it, in order.
    private struct Section {
        let prefix: String
        let parts: [Part]
    }

    private struct Part {
        let suffix: String
        let bytes: Numbered
        /// The bytes for users with a defect.
        var broken: [Fault: Numbered] = [:]
        /// The only defect with which the object exists.
        var only: Fault?
        /// The defects without the object.
        var without: Set<Fault> = []
        /// Whether it is the account document, whose audit log is sealed for its account.
        var isSealed = false

        func bytes(of index: Int) -> Numbered? {
            let fault = Fault(of: index)
            guard only == nil || only == fault, !without.contains(where: { $0 == fault }) else { return nil }
            return fault.flatMap { broken[$0] } ?? bytes
        }
    }

    /// The text after the subject in an account document.
    private static func linkState(_ state: String) -> String { "\"state\":\"\(state)\",\"linkedAt\":" }

    /// Signs up one user and generalizes the objects that this writes.
    static func make() async throws -> (population: Population, service: TestService) {
        let service = try await TestService.make()
        let person = try await service.signUp(.google, subject, email: "person@gmail.com").user.serviceUserID
        var texts: [String: String] = [:]
        for object in try await service.store.list(prefix: "", after: nil, limit: 100).objects {
            let bytes = try #require(try await service.store.get(object.key)).bytes
            texts[object.key.description] = String(buffer: bytes)
        }
        let hint = try #require(texts.keys.first { $0.hasPrefix(StorageLayout.emailHint("")) })
        let hash = String(hint.dropFirst(StorageLayout.emailHint("").count))
        let numbered = texts.map { key, text in
            (number(key, person, hash), Numbered(number(text, person, hash)))
        }
        let population = Population(
            Dictionary(uniqueKeysWithValues: numbered), writtenAt: service.clock.now, keyRing: service.keyRing
        )
        service.clock.advance(by: 7200)
        return (population, service)
    }

    private static func number(_ text: String, _ person: UserID, _ hash: String) -> String {
        text.replacing("\(person)", with: user).replacing(hash, with: "\(hash.dropLast(12))\(number)")
    }

    private init(_ objects: [String: Numbered], writtenAt: Date, keyRing: KeyRing) {
        self.writtenAt = writtenAt
        self.keyRing = keyRing
        func object(_ beginning: String, _ ending: String = "") -> (key: String, bytes: Numbered) {
            let found = objects.first { $0.key.hasPrefix(beginning) && $0.key.hasSuffix(ending) }
            return found.map { ($0.key, $0.value) } ?? ("", Numbered(""))
        }
        func before(_ key: String) -> String { key.range(of: Self.number).map { String(key[..<$0.lowerBound]) } ?? "" }
        func after(_ key: String) -> String { key.range(of: Self.number).map { String(key[$0.upperBound...]) } ?? "" }
        let hint = object(StorageLayout.emailHint(""))
        let claim = object("\(Self.claims)google/")
        let account = object(StorageLayout.accounts, "/account.json")
        let entry = object(StorageLayout.accounts, "/audit/0000000001")
        chainHash = AuditEntry.hash(of: Data(entry.bytes.bytes(0)))
        let device = object(StorageLayout.accounts, TestService.device(1).id.description + ".json")
        let stranger = Numbered("\(Self.user)\n\(Self.unknownUserID)\n")
        sections = [
            Section(
                prefix: before(hint.key),
                parts: [
                    Part(suffix: "", bytes: hint.bytes, without: [.hintMissing, .abandoned, .accountLost]),
                    Part(suffix: "0", bytes: stranger, only: .hintStale),
                ]
            ),
            Section(
                prefix: before(claim.key),
                parts: [
                    Part(suffix: "", bytes: claim.bytes, without: [.claimMissing, .abandoned, .accountLost]),
                    Part(suffix: "x", bytes: stranger, only: .claimNotListed),
                    Part(
                        suffix: "y", bytes: Numbered("\(Self.unknownUserID)\n\(Self.unknownUserID)\n"),
                        only: .claimWithoutAccount),
                    Part(suffix: "z", bytes: Numbered("no claim"), only: .claimUnreadable),
                ]
            ),
            Section(
                prefix: before(account.key),
                parts: [
                    Part(
                        suffix: after(account.key), bytes: account.bytes,
                        broken: [
                            .linkUnfinished: account.bytes.replacing(
                                Self.linkState("active"), Self.linkState("pending")),
                            .unlinkUnfinished: account.bytes.replacing(
                                Self.linkState("active"), Self.linkState("removing")),
                            .accountUnreadable: Numbered("{"),
                        ], without: [.accountLost], isSealed: true),
                    Part(
                        suffix: after(entry.key), bytes: entry.bytes,
                        broken: [.entryChanged: entry.bytes.replacing("google", "apple")],
                        without: [.abandoned, .entryMissing]),
                    Part(suffix: after(device.key), bytes: device.bytes, without: [.abandoned]),
                ]
            ),
        ]
    }

    /// Returns an object's bytes; `nil` if there is none.
    func object(_ key: String, count: Int) -> [UInt8]? {
        guard let (section, index, suffix) = locate(key), index < count else { return nil }
        guard let part = section.parts.first(where: { $0.suffix == suffix }), let bytes = part.bytes(of: index) else {
            return nil
        }
        return part.isSealed ? sealed(bytes.bytes(index), index) : bytes.bytes(index)
    }

    /// Returns a document with the seal of its own account.
    private func sealed(_ bytes: [UInt8], _ index: Int) -> [UInt8] {
        let message = Data("\(Self.user.dropLast(12))\(Numbered.digits(index))/1/\(chainHash)".utf8)
        guard let code = try? keyRing.authenticationCode(of: message, for: .auditChain),
            let place = bytes.firstRange(of: Self.sealMember)?.upperBound
        else { return bytes }
        var sealed = bytes
        let text = Array(Base64URL.encode(code).utf8)
        sealed.replaceSubrange(place..<place + text.count, with: text)
        return sealed
    }

    private static let sealMember = Array("\"code\":\"".utf8)

    /// Returns the keys in order.
    func keys(prefix: String, after: String?, limit: Int, count: Int) -> [String] {
        var keys: [String] = []
        for section in sections where section.prefix.hasPrefix(prefix) {
            if let after, after >= section.prefix, !after.hasPrefix(section.prefix) { continue }
            var index =
                after.flatMap { locate($0) }.flatMap { $0.section.prefix == section.prefix ? $0.index : nil } ?? 0
            while index < count, keys.count < limit {
                let number = Numbered.digits(index)
                for part in section.parts where part.bytes(of: index) != nil {
                    let key = "\(section.prefix)\(number)\(part.suffix)"
                    if after.map({ $0 < key }) ?? true { keys.append(key) }
                }
                index += 1
            }
        }
        return Array(keys.prefix(limit))
    }

    private func locate(_ key: String) -> (section: Section, index: Int, suffix: String)? {
        for section in sections where key.hasPrefix(section.prefix) {
            let rest = key.dropFirst(section.prefix.count)
            guard let index = Int(rest.prefix(12)) else { return nil }
            return (section, index, String(rest.dropFirst(12)))
        }
        return nil
    }

    /// Bytes that contain a user's number in several places.
    struct Numbered: Sendable {
        private let text: String
        private let bytes: [UInt8]
        private let places: [Int]

        init(_ text: String) {
            self.text = text
            bytes = Array(text.utf8)
            var places: [Int] = []
            var rest = text[...]
            while let range = rest.range(of: Population.number) {
                places.append(text.utf8.distance(from: text.startIndex, to: range.lowerBound))
                rest = rest[range.upperBound...]
            }
            self.places = places
        }

        func replacing(_ part: String, _ other: String) -> Numbered { Numbered(text.replacing(part, with: other)) }

        func bytes(_ index: Int) -> [UInt8] {
            var bytes = bytes
            let digits = Array(Self.digits(index).utf8)
            for place in places { bytes.replaceSubrange(place..<place + 12, with: digits) }
            return bytes
        }

        static func digits(_ index: Int) -> String {
            let digits = String(index)
            return String(repeating: "0", count: max(0, 12 - digits.count)) + digits
        }
    }
}
