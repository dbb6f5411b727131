import Foundation
import Testing

@testable import ServiceWiring

/// No content of the settings file is ignored silently.
@Suite struct SettingsFileTests {
    private func problems(_ file: String) throws -> [String] {
        try SettingsFixture.problems(flags: SettingsFixture.dev, file: file)
    }

    @Test("values may use JSON types or the text form of the environment")
    func naturalValues() throws {
        let files = [
            #"""
            {"limits": {"bodyBytes": 65536, "trustedProxies": ["10.0.0.0/8", "::1"]}, "signIn": {"allowContinue": true},
            "google": {"audiences": ["a", "b"]}, "scrub": {"everyDays": 0, "bytesPerSecond": 65536},
            "disk": {"reservedBytes": 0}}
            """#,
            #"""
            {"limits": {"bodyBytes": "65536", "trustedProxies": "10.0.0.0/8, ::1"}, "signIn": {"allowContinue": "yes"},
            "google": {"audiences": "a,b"}}
            """#,
            #"""
            {"limits.bodyBytes": 65536, "limits.trustedProxies": ["10.0.0.0/8", "::1"], "signIn.allowContinue": true,
            "google.audiences": ["a", "b"]}
            """#,
        ]
        for file in files {
            let settings = try SettingsFixture.read(flags: SettingsFixture.dev, file: file)
            #expect(settings.bodyLimit == 65536)
            #expect(settings.trustedProxies.count == 2)
            #expect(settings.allowsContinue)
            #expect(settings.providers.first?.audiences == ["a", "b"])
        }
    }

    @Test("documented lists, objects and numeric defaults have that JSON type in the file")
    func documentedKinds() throws {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let text = try String(contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
        var kinds: [SettingKind] = []
        for line in text.split(separator: "\n") {
            let cells = line.components(separatedBy: " | ")
            guard cells.count == 4, let name = SettingName(rawValue: cells[0].filter { !"| `".contains($0) }) else {
                continue
            }
            let words: [(String, SettingKind)] = [("list of ", .list), ("object of ", .object)]
            for (word, kind) in words where cells[3].hasPrefix(word) {
                #expect(name.kind == kind, "\(name.rawValue)")
                kinds.append(kind)
            }
            if Int(cells[2]) != nil { #expect(name.kind == .number, "\(name.rawValue)") }
        }
        #expect(kinds.count { $0 == .list } > 10 && kinds.count { $0 == .object } == 7)
        let file = #"""
            {"google": {"audiences": ["web"], "clientSecrets": {"web": "hush"}, "hostedDomains": ["a.example"],
            "redirectURIs": {"web": "https://a.example/back"}},
            "facebook": {"audiences": ["1"], "appSecrets": {"1": "hush"}, "allowClassicTokens": true}}
            """#
        let providers = try SettingsFixture.read(flags: SettingsFixture.dev, file: file).providers
        #expect(providers[0].hostedDomains == ["a.example"])
        #expect(providers[0].redirectURIs == ["web": "https://a.example/back"])
        #expect(providers[1].facebookApp?.allowsClassicTokens == true)
    }

    @Test(
        "a value of another type is reported with the expected type",
        arguments: [
            (#"{"data": 5}"#, "FILE: data: must be a string, not 5"),
            (#"{"data": null}"#, "FILE: data: must be a string, not null"),
            (#"{"data": ["/x"]}"#, "FILE: data: must be a string, not an array"),
            (#"{"listen": {"host": "127.0.0.1"}}"#, "FILE: listen: must be a string, not an object"),
            (#"{"limits": {"bodyBytes": true}}"#, "FILE: limits.bodyBytes: must be an integer, not true"),
            (#"{"limits": {"bodyBytes": [65536]}}"#, "FILE: limits.bodyBytes: must be an integer, not an array"),
            (
                #"{"limits": {"bodyBytes": 65536.5}}"#,
                "limits.bodyBytes: must be an integer from 32768 to 16777216, not 65536.5"
            ),
            (#"{"signIn": {"allowContinue": 1}}"#, "FILE: signIn.allowContinue: must be true or false, not 1"),
            (
                #"{"google": {"audiences": 123}}"#,
                "FILE: google.audiences: must be an array of strings, or one string with commas, not 123"
            ),
            (
                #"{"google": {"audiences": ["a", 1]}}"#,
                "FILE: google.audiences: must be an array of strings, or one string with commas, not an array"
            ),
            (
                #"{"google": {"audiences": ["a,b"]}}"#,
                "FILE: google.audiences: must be an array of strings, or one string with commas, not an array"
            ),
        ])
    func otherKinds(file: String, problem: String) throws {
        #expect(try problems(file) == [problem])
    }

    @Test("all unknown names are reported together, with the closest known name")
    func misspelt() throws {
        #expect(
            try problems(
                #"{"s3": {"regoin": "x", "extra": {"a": 1}}, "publicUrl": "y", "frotz": {}, "apple": "z", "google": {}}"#
            ) == [
                #"FILE: unknown setting "apple""#, #"FILE: unknown setting "frotz""#,
                #"FILE: unknown setting "publicUrl". Did you mean publicURL?"#,
                #"FILE: unknown setting "s3.extra""#,
                #"FILE: unknown setting "s3.regoin". Did you mean s3.region?"#,
            ]
        )
    }

    @Test("a setting in both nested and dotted form is reported")
    func twice() throws {
        #expect(
            try problems(#"{"s3": {"region": "a"}, "s3.region": "b"}"#)
                == ["FILE: duplicate setting s3.region, nested and with a dot"]
        )
    }

    @Test("a file that is not a JSON object is reported", arguments: ["", "{", "{\"data\": }", "[1]", "\"x\""])
    func notJSON(file: String) throws {
        let problems = try problems(file)
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("FILE: settings file "))
    }

    @Test(
        "a missing file or a folder cannot be read",
        arguments: [
            ("/nowhere/settings.json", "No such file or directory"), ("/", "Is a directory"),
        ])
    func unreadable(path: String, reason: String) {
        let error = #expect(throws: SettingsProblems.self) { try SettingsFile(path: path) }
        #expect(error?.problems == ["\(path): settings file is not readable: \(reason)"])
    }
}
