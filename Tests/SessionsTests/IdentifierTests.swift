import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The text form of ids.
@Suite struct IdentifierTests {
    @Test("an id is written as Foundation writes it, in lower case, and read again")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let (high, low) = (generator.next(), generator.next())
            let uuid = withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            let text = uuid.uuidString.lowercased()
            #expect(UserID(uuid: uuid).description == text)
            #expect(UserID(text) == UserID(uuid: uuid) && UserID(uuid.uuidString) == UserID(uuid: uuid))
        }
    }

    @Test(
        "other forms are rejected",
        arguments: [
            "", "9ae13d2b-2476-4748-a1ad-86e4fc7327e", "9ae13d2b-2476-4748-a1ad-86e4fc7327e11",
            "9ae13d2b2476-4748-a1ad-86e4fc7327e1-", "9ae13d2-b2476-4748-a1ad-86e4fc7327e1",
            "{9ae13d2b-2476-4748-a1ad-86e4fc7327e1}", "9ae13d2b-2476-4748-a1ad-86e4fc7327g1",
            "9ae13d2b 2476 4748 a1ad 86e4fc7327e1", "9ae13d2b-2476-4748-a1ad-86e4fc7327\u{e9}",
        ])
    func malformed(text: String) { #expect(UserID(text) == nil) }

    @Test("ids are ordered as their texts")
    func order() throws {
        var generator = SeededGenerator(seed: 8)
        let ids = (0..<50).map { _ in
            UserID(
                uuid: withUnsafeBytes(of: (generator.next(), generator.next())) {
                    UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
                })
        }
        #expect(ids.sorted() == ids.sorted { $0.description < $1.description })
    }
}
