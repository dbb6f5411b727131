extension CameraName {
    /// Joins fields of a file in UTF-8. What follows a zero, and a field that is not UTF-8, is left out.
    init?(make: [UInt8]?, model: [UInt8]?) {
        self.init(make: make.flatMap { Self.text($0) }, model: model.flatMap { Self.text($0) })
    }

    private static func text(_ bytes: [UInt8]) -> String? {
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
