import Testing

/// What the comparison of golden files hides and shows.
@Suite struct TranscriptTests {
    private static let normalizer = TranscriptNormalizer(literals: [("/tmp/x", "/home")])

    @Test("equal identifiers get equal numbers in order of appearance")
    func identifiers() {
        let (first, second) = ("8d57c54d-10bd-4baf-9841-35852271a5b6", "592330e8-754f-4a68-a11b-d135a649e5fd")
        #expect(Self.normalizer.normalized("\(first) \(second) \(first)") == "<id 1> <id 2> <id 1>")
    }

    @Test("dates of the run and paths are replaced; dates of test photos, sizes and counts stay")
    func dates() {
        let text = "/tmp/x/Pictures 2026-11-25T03:10:31Z, 2026-11-25 03:10, 2026-11-25, 2023-07-01, 1.5 MB, 30 days"
        let expected = "/home/Pictures <timestamp>, <date> <time>, <date>, 2023-07-01, 1.5 MB, 30 days"
        #expect(Self.normalizer.normalized(text) == expected)
    }

    @Test("measured rates, request ids and secrets are replaced")
    func secrets() {
        let secret = String(repeating: "a/", count: 20)
        let text = "At 39.8 MB/s that takes about 2 h 10 min. Request ID: bf4c32612e44e666c26fe4950e98ce5 KEY=\(secret)"
        let expected = "At <rate> that takes about <duration>. Request ID: <request> KEY=\(secret)"
        #expect(Self.normalizer.normalized(text) == expected)
        let shell = Self.normalizer.normalized("AWS_SECRET_ACCESS_KEY='\(secret)'")
        #expect(shell == "AWS_SECRET_ACCESS_KEY='<secret key>'")
        let json = Self.normalizer.normalized(#""bytesPerSecond" : 49228327.9, "seconds" : 4.06e-05, "bytes" : 5"#)
        #expect(json == #""bytesPerSecond" : <rate>, "seconds" : <duration>, "bytes" : 5"#)
    }

    @Test("a changed word is shown as a removed and an added line, with three lines of context")
    func difference() {
        let lines = (1...9).map { "line \($0)\n" }
        let changed = lines.map { $0.replacing("5", with: "five") }
        let difference = LineDifference.unified(expected: lines.joined(), actual: changed.joined())
        let expected = "@@ -2 +2 @@\n line 2\n line 3\n line 4\n-line 5\n+line five\n line 6\n line 7\n line 8\n"
        #expect(difference == expected)
        #expect(LineDifference.unified(expected: lines.joined(), actual: lines.joined()).isEmpty)
    }
}
