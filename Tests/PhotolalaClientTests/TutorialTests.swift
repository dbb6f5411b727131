import Foundation
import Testing

/// The tutorials show the examples step by step.
@Suite struct TutorialTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func lines(_ path: String) throws -> [Substring] {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8).split(separator: "\n")
    }

    private static func step(_ name: String) throws -> [Substring] {
        try lines("Sources/PhotolalaClient/Documentation.docc/Resources/\(name).swift")
    }

    @Test("each step is a growing subsequence of the example's lines, and the last one is complete")
    func steps() throws {
        let example = try Self.lines("Examples/KeepPhotos/Sources/KeepPhotos.swift")
        var before = 0
        for number in 1...4 {
            let step = try Self.step("keep-photos-\(number)")
            var rest = example[...]
            for line in step {
                let place = try #require(rest.firstIndex(of: line), "step \(number): \(line)")
                rest = rest[(place + 1)...]
            }
            #expect(step.count > before)
            before = step.count
        }
        #expect(before == example.count)
        #expect(
            try Self.step("development-provider") == Self.lines("Examples/KeepPhotos/Sources/DevelopmentProvider.swift")
        )
    }

    @Test("the tutorial of the app shows each file of the example")
    func app() throws {
        let tutorial = try String(
            contentsOf: Self.root.appending(
                path: "Sources/PhotolalaClient/Documentation.docc/Tutorials/Camera-Roll.tutorial"), encoding: .utf8)
        let folder = "Examples/PhotolalaDemoApp/Sources"
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path)
        #expect(files.count == 9)
        for file in files {
            #expect(tutorial.contains("@Code(name: \"\(file)\", file: demo-\(file))"), "\(file)")
            let shown = try Self.step("demo-\(file.dropLast(".swift".count))")
            let example = try Self.lines("\(folder)/\(file)")
            #expect(shown == example, "\(file)")
        }
    }

    @Test("the app compiles after each step: a file uses no type of a later one")
    func order() throws {
        let tutorial = try String(
            contentsOf: Self.root.appending(
                path: "Sources/PhotolalaClient/Documentation.docc/Tutorials/Camera-Roll.tutorial"), encoding: .utf8)
        let files = try tutorial.matches(of: /file: (demo-[A-Za-z]+)\.swift/).map { try Self.step(String($0.1)) }
        #expect(files.count == 9)
        for (number, file) in files.enumerated() {
            let later = files[(number + 1)...].joined().compactMap {
                $0.firstMatch(of: /^(?:final )?(?:class|enum|struct) ([A-Za-z]+)/)?.1
            }
            let code = file.filter { !$0.contains("//") }.joined(separator: "\n")
            let words = Set(code.matches(of: /[A-Za-z]+/).map(\.0))
            #expect(words.isDisjoint(with: later), "\(words.intersection(later))")
        }
    }
}
