import ArgumentParser
import PhotolalaAPI
import PhotolalaClient

/// The arguments of this process. Paths need not be UTF-8: names that are not are passed on as they are encoded in
/// libraries.
enum ProgramArguments {
    /// The commands whose arguments, except options, are paths.
    private static let commands: Set<[UInt8]> = Set(["backup", "status", "sync"].map { Array($0.utf8) })
    /// Options of these commands whose values are not paths in a folder of photos.
    private static let otherOptions: Set<[UInt8]> = Set(["--server", "--profile-dir"].map { Array($0.utf8) })

    /// Returns the arguments without the program's name; `nil` if all are UTF-8.
    /// - Parameter arguments: The bytes of each argument, the program's name first.
    /// - Throws: For an argument that is not UTF-8 and not a path.
    static func texts(of arguments: [[UInt8]]) throws(ValidationError) -> [String]? {
        guard let problem = ArgumentEncoding.problem(in: arguments) else { return nil }
        guard arguments.count > 1, commands.contains(arguments[1]) else { throw ValidationError(problem) }
        var texts: [String] = []
        for index in arguments.indices.dropFirst() {
            if let text = String(validating: arguments[index], as: UTF8.self) {
                texts.append(text)
                continue
            }
            let isPath = arguments[index].first != UInt8(ascii: "-") && !otherOptions.contains(arguments[index - 1])
            guard isPath, let text = LocalPath.text(of: arguments[index]) else { throw ValidationError(problem) }
            texts.append(text)
        }
        return texts
    }
}
