import Foundation
import JSONCoding
import PhotolalaTesting
import Testing

@testable import Sessions

/// The stored form of device records.
@Suite struct DeviceRecordTests {
    private static let id = "9ae13d2b-2476-4748-a1ad-86e4fc7327e1"
    private static let event = [
        "by": #""\#(id)""#, "country": #""JP""#, "isNewDevice": "true", "link": #""\#(id)""#, "provider": #""apple""#,
    ]
    private static let session = [
        "authenticatedLink": #""\#(id)""#, "client": #""app \" 写真""#, "identityProvedAt": #""2026-11-30T12:00:00Z""#,
        "key": #""\#(String(repeating: "A", count: 43))""#, "slides": "false",
    ]
    private static let record = [
        "country": #""DE""#, "lastActID": #""\#(id)""#, "lastSyncAt": #""2026-11-30T12:00:01Z""#,
        "model": #""iPhone\\""#, "removedAt": #""2027-01-31T23:59:59Z""#,
    ]

    @Test("a record is written as its Encodable conformance writes it, with and without each optional member")
    func encoding() throws {
        var generator = SeededGenerator(seed: 41)
        for _ in 0..<500 {
            let record = try Self.sample { Bool.random(using: &generator) }
            let bytes = record.encoded()
            #expect(
                String(decoding: bytes, as: UTF8.self)
                    == String(decoding: try CompactJSON.encode(record), as: UTF8.self))
            #expect(try CompactJSON.decode(DeviceRecord.self, from: bytes, strictDates: true) == record)
        }
    }

    @Test("the samples have all members that a record can have")
    func members() throws {
        let record = try Self.sample { true }
        let values: [Any] = [record, try #require(record.session), try #require(record.acts.first)]
        for value in values {
            for (name, member) in Mirror(reflecting: value).children {
                #expect("\(member)" != "nil", "\(name ?? "")")
            }
        }
    }

    /// Returns a record with those optional members that `isPresent` chooses, and up to three events.
    private static func sample(_ isPresent: () -> Bool) throws -> DeviceRecord {
        func chosen(_ members: [String: String]) -> String {
            members.sorted { $0.key < $1.key }.filter { _ in isPresent() }.map { #","\#($0.key)":\#($0.value)"# }.joined()
        }
        let events = (0..<3).filter { _ in isPresent() }.map {
            #"{"sequence":\#($0),"id":"\#(id)","at":"2026-11-30T12:00:00Z","act":"signed_in"\#(chosen(event))}"#
        }
        let opened = #"""
            {"id":"\#(id)","link":"\#(id)","epoch":3,"startedAt":"2026-11-30T12:00:00Z","expiresAt":"2026-12-30T12:00:00Z",\#
            "counter":4294967295,"rotatedAt":"2026-11-30T12:00:00Z","authTime":"1970-01-01T00:00:00Z"\#(chosen(session))}
            """#
        let text = #"""
            {"version":7,"id":"\#(id)","incarnation":"\#(id)","name":"Bob's \n📱","platform":"ios",\#
            "createdAt":"2026-01-01T00:00:00Z","lastSeenAt":"2026-11-30T12:00:00Z","notedActs":12,\#
            "acts":[\#(events.joined(separator: ","))]\#(isPresent() ? #","session":\#(opened)"# : "")\#(chosen(record))}
            """#
        return try CompactJSON.decode(DeviceRecord.self, from: Array(text.utf8))
    }
}
