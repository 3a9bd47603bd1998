//! Sources are compiled again when something of them changed, and only then.

use super::*;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// A project with a source that includes a header, a store, and a compiler that counts.
struct Bench {
    place: TempDir,
}

/// The project's source: it warns, and tells the name of its file.
const SOURCE: &str = "#include \"limit.h\"\n#include <string.h>\nstatic int unused;\n\
                      const char *name(void) { return __FILE__; }\n\
                      int limit(void) { return LIMIT + FLAG; }\n";

impl Bench {
    fn new() -> Self {
        let bench = Self { place: tempfile::tempdir().expect("a folder") };
        bench.write(
            "cc",
            "#!/bin/sh\necho \"$@\" >>\"$0.calls\"\nexec riscv64-unknown-elf-gcc \"$@\"\n",
        );
        let run = Command::new("chmod").arg("+x").arg(bench.path("cc")).status();
        assert!(run.is_ok_and(|run| run.success()));
        bench.project("first");
        bench
    }

    fn project(&self, name: &str) {
        self.write(&format!("{name}/src/main.c"), SOURCE);
        self.write(&format!("{name}/include/limit.h"), "#define LIMIT 3\n");
        for folder in ["early", "build"] {
            fs::create_dir_all(self.path(&format!("{name}/{folder}"))).expect("it can be made");
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }

    /// Compiles a project's source with a flag and returns the object, the words of the compiler,
    /// the list of files that were read, and whether the compiler ran.
    fn compile_with(
        &self,
        project: &str,
        flag: &str,
        store: &str,
    ) -> (Vec<u8>, String, String, bool) {
        // A file that has just been written is not trusted.
        std::thread::sleep(Duration::from_millis(50));
        let folder = self.path(project);
        let paths = Paths { folder: folder.clone(), out: folder.join("build") };
        let store = Store::at(self.path(store));
        let compiler = self.path("cc").to_string_lossy().into_owned();
        let tools = Tools::find(Platform::DEFAULT, Some(&compiler), (paths, store)).expect("tools");
        let includes = ["early", "include"].map(|name| folder.join(name));
        let options = Options { includes: &includes, flags: &[flag.to_owned()] };
        let calls = || {
            let calls = fs::read_to_string(self.path("cc.calls")).unwrap_or_default();
            calls.lines().filter(|call| call.contains(" -c ")).count()
        };
        let (object, before) = (folder.join("build/main.o"), calls());
        let said = tools.compile(&folder.join("src/main.c"), &object, &options).expect("it runs");
        assert!(said.fine, "{}", said.text);
        let read = fs::read_to_string(object.with_extension("d")).expect("what was read");
        (fs::read(object).expect("an object"), said.text, read, calls() > before)
    }

    fn compile(&self) -> (Vec<u8>, String, String, bool) {
        self.compile_with("first", "-DFLAG=1", "store")
    }

    fn compiles(&self) -> bool {
        self.compile().3
    }
}

#[test]
fn what_has_not_changed_is_not_compiled_again() {
    let bench = Bench::new();
    let (object, said, read, ran) = bench.compile();
    assert!(ran && said.contains("unused") && read.contains("limit.h"), "{said} {read}");
    assert!(!read.contains("string.h"), "{read}");
    fs::remove_dir_all(bench.path("first/build")).expect("it can be removed");
    fs::create_dir(bench.path("first/build")).expect("it can be made");
    assert_eq!(bench.compile(), (object, said, read, false));
}

#[test]
fn whatever_goes_into_an_object_counts() {
    let bench = Bench::new();
    bench.compile();
    let ways: [(&str, &dyn Fn()); 5] = [
        ("a changed header", &|| bench.write("first/include/limit.h", "#define LIMIT 4\n")),
        ("a changed source", &|| bench.write("first/src/main.c", &SOURCE.replace('+', "-"))),
        ("a header in an earlier folder", &|| {
            bench.write("first/early/limit.h", "#define LIMIT 500\n");
        }),
        ("a header of the system's name", &|| {
            bench.write("first/early/string.h", "#undef LIMIT\n#define LIMIT 600\n");
        }),
        ("a changed compiler", &|| {
            let script = fs::read_to_string(bench.path("cc")).expect("the script");
            bench.write("cc", &script.replace("gcc", "gcc -DMORE"));
        }),
    ];
    let mut objects = vec![bench.compile().0];
    for (way, change) in ways {
        change();
        let (object, said, read, ran) = bench.compile();
        assert!(ran, "{way}");
        let fresh = bench.compile_with("first", "-DFLAG=1", way);
        assert_eq!((object.clone(), said, read, true), fresh, "{way}");
        // The other compiler makes the same of this source.
        assert!(way == "a changed compiler" || !objects.contains(&object), "{way}");
        assert!(!bench.compiles(), "{way}: once is enough");
        objects.push(object);
    }
    let other = bench.compile_with("first", "-DFLAG=2", "store");
    assert!(other.3 && !objects.contains(&other.0), "a changed flag");
}

#[test]
fn a_change_that_is_taken_back_is_known() {
    let bench = Bench::new();
    let first = bench.compile().0;
    bench.write("first/include/limit.h", "#define LIMIT 4\n");
    assert!(bench.compiles());
    bench.write("first/include/limit.h", "#define LIMIT 3\n");
    let (object, _, _, ran) = bench.compile();
    assert!(!ran && object == first);
}

#[test]
fn the_same_elsewhere_is_the_same() {
    let bench = Bench::new();
    bench.compile();
    bench.project("second");
    let (object, said, read, ran) = bench.compile_with("second", "-DFLAG=1", "store");
    assert!(!ran && read.contains("second/include/limit.h"), "{read}");
    let fresh = bench.compile_with("second", "-DFLAG=1", "other");
    assert_eq!((object, said, read, true), fresh);
}

#[test]
fn what_depends_on_more_than_files_is_compiled_each_time() {
    for text in [
        "const char *date = __DATE__;\n",
        "#if __has_include(\"other.h\")\n#endif\n",
        "asm(\".incbin \\\"../src/data\\\"\");\n",
    ] {
        let bench = Bench::new();
        bench.write("first/src/data", "data");
        bench.write("first/include/limit.h", &format!("#define LIMIT 3\n{text}"));
        assert!(bench.compiles() && bench.compiles(), "{text}");
    }
}

#[test]
fn a_damaged_object_is_compiled_again() {
    let bench = Bench::new();
    let object = bench.compile().0;
    let kept = fs::read_dir(bench.path("store")).expect("the store").flatten();
    let kept: Vec<PathBuf> =
        kept.map(|entry| entry.path().join("object")).filter(|path| path.is_file()).collect();
    assert_eq!(kept.len(), 1);
    let mut bytes = fs::read(&kept[0]).expect("an object");
    bytes[100] ^= 1;
    fs::write(&kept[0], bytes).expect("it can be written");
    let again = bench.compile();
    assert!(again.3 && again.0 == object);
    assert!(!bench.compiles());
}

#[test]
fn a_file_that_changes_meanwhile_keeps_nothing() {
    let bench = Bench::new();
    // The compiler of somebody who saves a header while it runs.
    bench.write(
        "cc",
        "#!/bin/sh\necho \"$@\" >>\"$0.calls\"\nriscv64-unknown-elf-gcc \"$@\" || exit 1\n\
         case \"$*\" in *' -c '*) ;; *) exit 0 ;; esac\n\
         echo '#define LIMIT 9' >\"${0%cc}first/include/limit.h\"\n",
    );
    let old = bench.compile().0;
    let script = fs::read_to_string(bench.path("cc")).expect("the script");
    let (object, _, _, ran) = bench.compile();
    assert!(ran && object != old, "{script}");
}
