/// The cameras of one catalog whose names have a word. Each name is tested once, when the first photo of the camera is.
final class CameraMatches {
    private let word: SearchWord
    private let cameras: [CameraName]
    private var results: [Bool?]

    init(_ word: SearchWord, _ cameras: [CameraName]) {
        (self.word, self.cameras) = (word, cameras)
        results = Array(repeating: nil, count: cameras.count)
    }

    /// - Parameter camera: The index of the camera among those of the catalog.
    func contains(_ camera: Int) -> Bool {
        if let known = results[camera] { return known }
        let isFound = word.isPart(of: cameras[camera])
        results[camera] = isFound
        return isFound
    }
}
