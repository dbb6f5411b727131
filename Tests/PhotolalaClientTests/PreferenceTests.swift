import Foundation
import PhotolalaAPI
import PhotolalaTesting
import Secrets
import Testing

@testable import PhotolalaClient

@Suite("Preferences") struct PreferenceTests {
    /// Returns the preferences of a device with its own folder.
    private static func device(_ fixture: ClientFixture, _ name: String) async throws -> PhotolalaPreferences {
        let one = ClientFixture(
            folder: fixture.folder.appendingPathComponent(name), server: fixture.server, clock: fixture.clock)
        return PhotolalaPreferences(session: try await one.signedIn(), profile: try ProfileDirectory(one.folder))
    }

    @Test("a preference synchronizes to another device, and of two changes the later state wins")
    func merged() async throws {
        let held = FakeProfileEndpoint()
        try await ClientFixture.with(held.script) { fixture in
            let (one, other) = (try await Self.device(fixture, "one"), try await Self.device(fixture, "other"))
            try await one.set("uploadQuality", to: .text("high"))
            try await one.set("theme", to: .text("dark"))
            _ = try await one.synchronize()
            let news = try await other.synchronize()
            #expect(news.changed == ["theme", "uploadQuality"])
            // The second device has seen the first setting and supersedes it; the first device sets a value without
            // having seen that.
            try await other.set("uploadQuality", to: .text("low"))
            try await other.set("uploadQuality", to: .text("lower"))
            _ = try await other.synchronize()
            try await other.set("uploadQuality", to: .text("lowest"))
            _ = try await other.synchronize()
            try await one.set("uploadQuality", to: .text("highest"))
            let came = try await one.synchronize()
            #expect(came.overruled == ["uploadQuality"])
            let value = try await one.value(of: "uploadQuality")
            #expect(value == .text("lowest"))
            #expect(held.profile.preferences == ["theme": .text("dark"), "uploadQuality": .text("lowest")])
        }
    }

    @Test("a preference of this device only is not uploaded and overrides the account's")
    func own() async throws {
        let held = FakeProfileEndpoint()
        try await ClientFixture.with(held.script) { fixture in
            let one = try await Self.device(fixture, "one")
            try await one.set("wifiOnlyBackup", to: .bool(true))
            try await one.set("theme", to: .text("dark"))
            try await one.set("theme", to: .text("light"), for: .thisDevice)
            _ = try await one.synchronize()
            #expect(held.profile.preferences == ["theme": .text("dark")])
            let all = try await one.all()
            #expect(all.map(\.name) == ["theme", "wifiOnlyBackup"])
            #expect(all.allSatisfy { $0.scope == .thisDevice })
            try await one.set("theme", to: nil, for: .thisDevice)
            let theme = try await one.value(of: "theme")
            #expect(theme == .text("dark"))
        }
    }

    @Test("preferences set before a sign-in move to the account that signs in next")
    func beforeSigningIn() async throws {
        let held = FakeProfileEndpoint()
        try await ClientFixture.with(held.script) { fixture in
            let session = try fixture.session()
            let preferences = PhotolalaPreferences(session: session, profile: try ProfileDirectory(fixture.folder))
            try await preferences.set("theme", to: .text("dark"))
            let before = try await preferences.all()
            #expect(before.first?.isWaiting == true)
            await #expect(throws: PhotolalaError.notSignedIn) { try await preferences.synchronize() }
            try await session.signIn(ClientFixture.credential)
            _ = try await preferences.synchronize()
            #expect(held.profile.preferences == ["theme": .text("dark")])
            let after = try await preferences.all()
            #expect(after.first?.isWaiting == false)
            #expect(!FileManager.default.fileExists(atPath: fixture.folder.path + "/preferences.json"))
        }
    }

    @Test("preferences from a client that does not merge take effect, and the profile's name is kept")
    func unstamped() async throws {
        let held = FakeProfileEndpoint()
        held.write { $0.displayName = "Bob" }
        try await ClientFixture.with(held.script) { fixture in
            let one = try await Self.device(fixture, "one")
            try await one.set("theme", to: .text("dark"))
            try await one.set("columns", to: .number(4))
            _ = try await one.synchronize()
            held.write { $0.preferences = ["theme": .text("light")] }
            held.write { $0.preferenceChanges = nil }
            let came = try await one.synchronize()
            #expect(came.changed == ["columns", "theme"])
            let all = try await one.all()
            #expect(all.map(\.value) == [.text("light")])
            #expect(held.profile.displayName == "Bob")
            // Also under the known timestamp.
            held.write { $0.preferences?["theme"] = .text("blue") }
            _ = try await one.synchronize()
            let theme = try await one.value(of: "theme")
            #expect(theme == .text("blue"))
        }
    }

    @Test(
        "three devices with offline changes converge in any order of synchronization",
        arguments: 0..<40 as Range<UInt64>)
    func threeDevices(seed: UInt64) async throws {
        var generator = Choices(seed: seed)
        let held = FakeProfileEndpoint()
        try await ClientFixture.with(held.script) { fixture in
            var devices: [PhotolalaPreferences] = []
            for name in ["one", "two", "three"] { devices.append(try await Self.device(fixture, name)) }
            var old = Profile()
            for step in 0..<30 {
                if step % 5 == 0 { old = held.profile }
                let device = devices[Int.random(in: 0..<3, using: &generator)]
                let name = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
                let value = PreferenceValue.number(Double(Int.random(in: 0...3, using: &generator)))
                switch Int.random(in: 0..<8, using: &generator) {
                case 0..<4: try await device.set(name, to: value)
                case 4: try await device.set(name, to: nil)
                case 5: held.write { $0.preferences = [name: value] }
                case 6 where Bool.random(using: &generator): held.write { $0 = old }
                default: _ = try await device.synchronize()
                }
            }
            for device in devices + devices { _ = try await device.synchronize() }
            var ends: [[Preference]] = []
            for device in devices { ends.append(try await device.all()) }
            #expect(Set(ends.map(\.count)).count == 1 && ends[0] == ends[1] && ends[1] == ends[2])
            #expect(
                held.profile.preferences ?? [:] == Dictionary(uniqueKeysWithValues: ends[0].map { ($0.name, $0.value) })
            )
            let version = held.profile
            for device in devices {
                let quiet = try await device.synchronize()
                #expect(quiet.changed.isEmpty && quiet.overruled.isEmpty)
            }
            #expect(held.profile == version)
        }
    }
}

struct Choices: RandomNumberGenerator {
    private let randomness: Randomness
    init(seed: UInt64) { randomness = .seeded(seed) }
    mutating func next() -> UInt64 { randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }
}
