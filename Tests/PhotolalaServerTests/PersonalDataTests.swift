import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The list of personal data covers the storage layout, and the documentation covers the list.
@Suite struct PersonalDataTests {
    private static let layout = Repository.root.appending(path: "Sources/PhotolalaAPI/StorageLayout.swift")
    private static let document = Repository.root.appending(path: "docs/privacy.md")

    /// Functions of the layout that name no person: what they identify is not personal.
    private static let impersonal: Set = [
        "usedMarker", "providerIssuer", "notificationPoll", "callCounts", "lease", "bucketProbe", "developmentKey",
        "operatorKey", "operatorCall", "isPreview",
    ]

    @Test("every function of the storage layout belongs to a kind of personal data or is known as impersonal")
    func layoutIsCovered() throws {
        let source = try String(contentsOf: Self.layout, encoding: .utf8)
        let functions = Set(source.matches(of: /static func ([a-zA-Z]+)\(/).map { String($0.1) })
        let registered = PersonalData.all.flatMap(\.functions)
        #expect(functions.subtracting(registered) == Self.impersonal)
        #expect(Set(registered).isSubset(of: functions))
        #expect(Set(PersonalData.all.map(\.name)).count == PersonalData.all.count)
    }

    @Test("every function that takes a user, a link or a device is registered")
    func parametersAreCovered() throws {
        let source = try String(contentsOf: Self.layout, encoding: .utf8)
        let registered = Set(PersonalData.all.flatMap(\.functions))
        for match in source.matches(of: /static func ([a-zA-Z]+)\(([^)]*)\)/)
        where match.2.contains(/UserID|LinkID|DeviceID|originalTransactionID/) {
            #expect(registered.contains(String(match.1)), "\(match.1)")
        }
    }

    @Test("the table in docs/privacy.md has exactly the kinds of personal data, in order, with their rules")
    func documented() throws {
        let lines = try String(contentsOf: Self.document, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let head = "| kind | purpose | stored | read by | deletion | export |"
        let begin = try #require(lines.firstIndex { $0 == head })
        let table = lines[begin...].prefix { $0.hasPrefix("|") }.map(String.init)
        let user = UserID(uuid: UUID())
        let rows = PersonalData.all.map { kind in
            let readers = kind.readers(of: user).map(\.rawValue).joined(separator: ", ")
            return "| `\(kind.name)` | \(kind.purpose) | \(kind.retention) | \(readers) | \(kind.erasureText) "
                + "| \(kind.exportText) |"
        }
        #expect(table == [head, "| --- | --- | --- | --- | --- | --- |"] + rows)
    }
}

extension PersonalData {
    fileprivate var erasureText: String {
        switch erasure {
        case .deleted, .deletedIfOwn: "deleted"
        case .deletedLast: "deleted last"
        case .anonymized: "the account is removed"
        case .expires(let time): "expires after \(time)"
        case .kept(let what): "stays: \(what)"
        }
    }

    fileprivate var exportText: String {
        switch export {
        case .files: "files"
        case .json(let name): "`\(name)`"
        case .none(let reason): "no: \(reason)"
        }
    }
}
