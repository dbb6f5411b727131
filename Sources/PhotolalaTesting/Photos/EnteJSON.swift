/// The JSON files of exports of Ente.
package enum EnteJSON {
    /// 2023-07-01 12:00 UTC.
    package static let taken = 1_688_212_800

    /// The description of a photo by the desktop app.
    package static func desktop(_ title: String, taken: Int) -> String {
        let time = #"{"timestamp":"\#(taken)","formatted":""}"#
        return #"{"title":"\#(title)","photoTakenTime":\#(time),"creationTime":\#(time),"modificationTime":\#(time)}"#
    }

    /// The description of a photo by `ente export`, taken at `taken`.
    package static func cli(_ id: Int, _ names: [String]) -> String {
        let files = names.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"title":"IMG.jpg","description":"Rome","location":{"latitude":48.5,"longitude":11.5},
            "creationTime":"2023-07-01T14:00:00+02:00","modificationTime":"2023-07-01T14:00:00+02:00",
            "info":{"id":\(id),"hash":"x","ownerID":1,"fileNames":[\(files)]}}
            """
    }

    /// The desktop app's record of an export, with the names of files by the numbers of photos, by album.
    package static func record(_ albums: [(folder: String, files: [String: String])]) -> String {
        var (files, folders) = ([String](), [String]())
        for (number, album) in albums.enumerated() {
            folders.append("\"\(number)\":\"\(album.folder)\"")
            for (id, name) in album.files {
                files.append("\"\(id)_\(number)_1690000000\":\"\(name.replacing("\"", with: "\\\""))\"")
            }
        }
        let (names, collections) = (files.joined(separator: ","), folders.joined(separator: ","))
        return #"{"version":5,"stage":7,"fileExportNames":{\#(names)},"collectionExportNames":{\#(collections)}}"#
    }
}
